/**
 * The text of an HTML page or email without its tags. It contains whole email addresses, which the HTML splits before
 * the `@`.
 */
export const pageText = (html: string): string => html.replace(/<[^>]*>/g, '');
