import type { UseQueryResult } from '@tanstack/react-query';
import type { Known } from './started.steps';

/** What a query knows; figures that were read once stay known while reading them again fails. */
export function knownOf<T>({ data, isError }: Pick<UseQueryResult<T>, 'data' | 'isError'>): Known<T> {
  if (data !== undefined) return { is: 'known', value: data };
  return { is: isError ? 'unknown' : 'loading' };
}
