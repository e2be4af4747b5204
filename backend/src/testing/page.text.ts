/** The text of an HTML page or email: an address, which the HTML splits before its `@`, is whole in it. */
export const pageText = (html: string): string => html.replace(/<[^>]*>/g, '');
