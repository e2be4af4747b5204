/** Stored for the portal's own origin and loopback origins. */
export const localOrigin = 'local';
/** Stored for an Origin header that is not an origin. */
export const invalidOrigin = 'invalid';
/** Stored for blocked calls of a key with too many origins to store each of them. */
export const otherOrigins = 'other';

const maxCharacters = 255;
/** The serialised origin of RFC 6454 §6.2, of any scheme, so that extensions and mobile shells are distinguished. */
const shape = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * An Origin header as usage stores and shows it: the serialised origin, `null` as browsers send it for an opaque one,
 * or the word `invalid`. Nothing else is stored, because callers choose the header and an owner's spreadsheet or
 * terminal would interpret it.
 */
export function storedOrigin(header: string): string {
  if (header === 'null') return header;
  if (header.length > maxCharacters) return invalidOrigin;
  let origin: string;
  try {
    ({ origin } = new URL(header));
  } catch {
    return invalidOrigin;
  }
  // `URL` gives only web schemes an origin.
  const text = origin === 'null' ? header.toLowerCase() : origin;
  return shape.test(text) ? text : invalidOrigin;
}
