import type { ErrorBody } from '@orange-id/contract/error.codes';
import { z } from 'zod';
import { PortalError } from './portal.error.js';

const detailsMax = 20;
const shownMaxCharacters = 60;

/** Values of fields with such names are not repeated in a response, which may end up in a log. */
const secretName = /password|token|secret|signature|apikey/i;

type Details = NonNullable<ErrorBody['details']>;

/**
 * Parses client input with a schema and returns the parsed value. `part` ('body', 'query') is the subject if there is
 * no field. Throws `request.invalid`: `details` has every offending field (at most 20) with the allowed and the given
 * value; the message has the first.
 */
export function readRequest<T>(schema: z.ZodType<T>, value: unknown, part: string): T {
  const parsed = schema.safeParse(value, { error: sentenceOf });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues
    .slice(0, detailsMax)
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, detailsMax).map((key) => detailOf([...issue.path, key], issue.message))
        : [detailOf(issue.path, issue.message, givenAt(value, issue.path))],
    )
    .slice(0, detailsMax);
  const [{ path, message, given }] = details as [Details[number], ...Details];
  const subject = path === '' ? `The ${part} ` : `${path}: `;
  throw new PortalError('request.invalid', {
    message: `${subject}${message}${noteOf(given)}`,
    details,
  });
}

const detailOf = (path: PropertyKey[], message: string, given?: string): Details[number] => ({
  path: path.map((name) => shorten(String(name))).join('.'),
  message,
  ...(given === undefined ? {} : { given }),
});

/** ` (given "x")`, to follow the description of a valid value; empty if none was given. Never for a secret. */
export const givenNote = (given: unknown): string => noteOf(shown(given));

const noteOf = (given: string | undefined): string => (given === undefined ? '' : ` (given ${given})`);

/** The value at a path, short enough to show; `undefined` if there was none, for a secret, and for the whole input. */
function givenAt(value: unknown, path: PropertyKey[]): string | undefined {
  if (path.length === 0 || path.some((name) => secretName.test(String(name)))) return undefined;
  return shown(path.reduce<unknown>((outer, name) => (outer as Record<PropertyKey, unknown>)[name], value));
}

/** A value in a few words; `undefined` for `undefined`. */
function shown(given: unknown): string | undefined {
  if (typeof given === 'string') {
    const length = [...given].length;
    const cut = length > shownMaxCharacters ? `, ${length} characters` : '';
    return `${quoted(given)}${cut}`;
  }
  if (Array.isArray(given)) return given.length === 1 ? 'a list of 1' : `a list of ${given.length}`;
  if (typeof given === 'object' && given !== null) return 'an object';
  return given === undefined ? undefined : String(given);
}

/** A text of a request in quotation marks, short enough to show. */
export const quoted = (text: string): string => `"${shorten(text)}"`;

/** At most 60 characters; invisible ones, and those that change the text direction, as their code points. */
export function shorten(text: string): string {
  const characters = [...text.slice(0, 4 * shownMaxCharacters)];
  const kept =
    characters.length > shownMaxCharacters ? [...characters.slice(0, shownMaxCharacters), '…'] : characters;
  return kept
    .join('')
    .replace(
      /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
      (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
    );
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with named fields',
  null: 'null',
};

const formats: Record<string, string> = {
  email: 'an email like name@example.com',
  url: 'a URL with its scheme',
  uuid: 'a UUID such as 01890000-0000-7000-8000-000000000000',
  datetime: 'an ISO 8601 time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
};

/** A plain description of a valid value, for schemas without their own. */
function sentenceOf(issue: z.core.$ZodRawIssue): string {
  const isMissing = issue.input === undefined;
  const must = (rule: string) => (isMissing ? `is missing; it must be ${rule}` : `must be ${rule}`);
  switch (issue.code) {
    case 'invalid_type':
      return must(kinds[issue.expected] ?? issue.expected);
    case 'invalid_value': {
      const values = issue.values.map((value) => JSON.stringify(value) ?? String(value));
      return must(values.length === 1 ? (values[0] as string) : `one of ${values.join(', ')}`);
    }
    case 'too_big':
    case 'too_small': {
      const isBig = issue.code === 'too_big';
      const limit = String(isBig ? issue.maximum : issue.minimum);
      const bound = issue.exact ? 'exactly' : isBig ? 'at most' : 'at least';
      const inside = issue.inclusive === false ? (isBig ? 'less than' : 'more than') : bound;
      if (issue.origin === 'string') return `must have ${inside} ${limit} characters`;
      if (issue.origin === 'array') return `must contain ${inside} ${limit} entries`;
      return `must be ${inside} ${limit}`;
    }
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return issue.format in formats ? must(formats[issue.format] as string) : 'has the wrong format';
    case 'unrecognized_keys': {
      const known = Object.keys((issue.inst as z.core.$ZodObject | undefined)?._zod.def.shape ?? {});
      return known.length === 0
        ? 'isn’t a known field'
        : `isn’t a known field; known fields are ${known.join(', ')}`;
    }
    case 'invalid_union':
      return 'matches none of the allowed forms';
    default:
      return 'isn’t allowed';
  }
}
