import type { ChangeKey, SavedKey } from '@orange-id/contract/keys.schema';
import { clockChangeProblem } from '../local.time';
import { formatCount } from '../number.text';

/** The expiry and the limit of a key as typed. */
export interface TypedTerms {
  /** A local time as the browser's input has it, such as `2027-01-31T12:00`. */
  expiresAt: string;
  rateLimit: string;
}

export type TermProblems = Partial<Record<keyof TypedTerms, string>>;

export const noTerms: TypedTerms = { expiresAt: '', rateLimit: '' };

export const termsOf = ({ expiresAt, rateLimit }: Pick<SavedKey, 'expiresAt' | 'rateLimit'>): TypedTerms => ({
  expiresAt: expiresAt === null ? '' : localMinute(new Date(expiresAt)),
  rateLimit: rateLimit === null ? '' : String(rateLimit),
});

/** The local time to the minute, without a zone. */
function localMinute(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

interface TermRules {
  /** The highest limit, in calls per second. */
  most: number;
  /** Whether the browser reports an incomplete time, as no value. */
  isIncomplete: boolean;
  /** What else stops the key now, for an expiry in the past. */
  stopHint: string;
}

/** Reads the terms that differ from `base`; `problems` names those that are invalid. */
export function readTerms(
  typed: TypedTerms,
  base: TypedTerms,
  { most, isIncomplete, stopHint }: TermRules,
): { terms: Pick<ChangeKey, 'expiresAt' | 'rateLimit'>; problems: TermProblems } {
  const terms: Pick<ChangeKey, 'expiresAt' | 'rateLimit'> = {};
  const problems: TermProblems = {};
  if (isIncomplete) {
    problems.expiresAt = 'Enter a complete date and time, or clear the field for no expiry';
  } else if (typed.expiresAt !== base.expiresAt) {
    const at = typed.expiresAt === '' ? null : new Date(typed.expiresAt);
    const clockProblem = clockChangeProblem(typed.expiresAt);
    if (clockProblem) problems.expiresAt = clockProblem;
    else if (at && !(at.getTime() > Date.now()))
      problems.expiresAt = `The expiry must be in the future${stopHint === '' ? '' : `. ${stopHint}`}`;
    else terms.expiresAt = at && at.toISOString();
  }
  if (typed.rateLimit !== base.rateLimit) {
    const limit = Number(typed.rateLimit);
    const isEmpty = typed.rateLimit.trim() === '';
    if (!isEmpty && !(Number.isInteger(limit) && limit >= 1 && limit <= most))
      problems.rateLimit = `Enter a whole number from 1 to ${formatCount(most)}, or leave it empty`;
    else terms.rateLimit = isEmpty ? null : limit;
  }
  return { terms, problems };
}
