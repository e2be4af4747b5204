import type { UseQueryResult } from '@tanstack/react-query';
import type { Known } from './started.steps';

/** A query's result as `Known`; loaded data stays known while a refetch fails. */
export function knownOf<T>({ data, isError }: Pick<UseQueryResult<T>, 'data' | 'isError'>): Known<T> {
  if (data !== undefined) return { is: 'known', value: data };
  return { is: isError ? 'unknown' : 'loading' };
}
