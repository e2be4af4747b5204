/** Whether a text may be a key of a hosted project service, which has its own key format: visible ASCII. */
export const canBeHostedKey = (text: string): boolean => /^[\x21-\x7e]{8,256}$/.test(text);
