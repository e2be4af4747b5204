/**
 * What the roll-ups count in one list: each place has a meaning (`usage_owner_cells.places`, `usage_key_days.places`).
 * Buckets of response times have the places 0 to 79.
 */
export const places = {
  /** The quarters of an hour, in cells of an hour by kind. */
  quarter: 80,
  /** The number of a key, in cells for all keys. */
  key: 128,
  /** The number of an origin counts down from here, in cells by kind. */
  origin: -1,
  /** In days of a key: the hours, each with the four places of `hourPlaces`. */
  hour: 128,
  /** In days of a key: the number of a kind. */
  kind: 1000,
} as const;

/** What an hour of a key's day counts, in the order of its places. */
export const hourPlaces = ['fine', 'error', 'serverError', 'blocked'] as const;

export const isBucket = (place: string): string => `${place} between 0 and ${places.quarter - 1}`;
