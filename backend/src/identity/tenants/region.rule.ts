import type { FastifyRequest } from 'fastify';
import type { Environment } from '../../config/environment.js';

/** The header in which the loader and the widget send the browser's time zone. */
const timeZoneHeader = 'x-time-zone';

/**
 * The country of a request: what a trusted proxy says in `COUNTRY_HEADER`, or else where the browser's time zone is.
 * `undefined` if neither names one. A browser can send any zone, so the result is a figure and no proof.
 */
export function regionOf(
  { headers, query }: Pick<FastifyRequest, 'headers' | 'query'>,
  { COUNTRY_HEADER }: Pick<Environment, 'COUNTRY_HEADER'>,
): string | undefined {
  const country = COUNTRY_HEADER === undefined ? undefined : headers[COUNTRY_HEADER];
  if (typeof country === 'string' && table().countries.has(country)) return country;
  const asked =
    typeof query === 'object' && query !== null && 'timeZone' in query ? query.timeZone : undefined;
  return regionOfZone(headers[timeZoneHeader] ?? asked);
}

/** The country of an IANA time zone; `undefined` for one of no country, such as UTC, and for anything else. */
export function regionOfZone(zone: unknown): string | undefined {
  if (typeof zone !== 'string' || !/^[A-Za-z][\w+/-]{2,49}$/.test(zone)) return undefined;
  const name = canonical(zone);
  return name === null ? undefined : table().ofZone.get(name);
}

function canonical(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

interface Table {
  /** ISO 3166-1 alpha-2, upper case. */
  countries: ReadonlySet<string>;
  /** By the names that this runtime uses. */
  ofZone: ReadonlyMap<string, string>;
}

let known: Table | undefined;

/** From the time zones of each country that ICU knows. Made once, because it takes a fifth of a second. */
function table(): Table {
  if (known) return known;
  const ofZone = new Map<string, string>();
  for (const code of pairsOfLetters()) {
    for (const zone of zonesOf(code)) ofZone.set(canonical(zone) ?? zone, code);
  }
  return (known = { ofZone, countries: new Set(ofZone.values()) });
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairsOfLetters = (): string[] => letters.flatMap((first) => letters.map((second) => first + second));

/** ECMA-402 `getTimeZones`; older engines have a property instead. None for codes that a newer one replaces. */
function zonesOf(code: string): readonly string[] {
  const locale = new Intl.Locale(`und-${code}`) as Intl.Locale & {
    getTimeZones?: () => string[] | undefined;
    timeZones?: string[];
  };
  return (locale.region === code && (locale.getTimeZones?.() ?? locale.timeZones)) || [];
}
