/**
 * The header (W3C Server Timing) of a response to a recorded call: how long the call took at the server, as Usage shows
 * it. A caller finds its own row by it: among the calls of one key to one endpoint, two rarely take the same time to
 * the microsecond. It reveals nothing else about the key's owner, unlike the row's number.
 */
export const serverTiming = 'server-timing';

/** `responseTime` in ms, a 32-bit float as the table stores it. */
export const serverTimingOf = (responseTime: number): string =>
  `app;dur=${Math.fround(responseTime).toFixed(3)}`;

/** The time in ms that a header of `serverTimingOf` contains; `null` for any other text. */
export function readServerTiming(header: string | null): number | null {
  const text = /^app;dur=(\d{1,9}\.\d{3})$/.exec(header ?? '')?.[1];
  return text === undefined ? null : Number(text);
}
