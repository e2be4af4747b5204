import { limits } from '@orange-id/contract/limits';
import { rewardAnswer, type RewardAnswer } from '@orange-id/contract/rewards.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useAuth, type Auth } from '../session/auth.context';
import { http, HttpError } from '../http';
import { queryKeys } from '../cache/query.keys';

/** The reward request was refused; `status` is the HTTP status. */
export class RewardError extends Error {
  override readonly name = 'RewardError';

  constructor(
    readonly status: number,
    options: ErrorOptions,
  ) {
    super(`Failed to fetch reward data: ${status}`, options);
  }
}

async function readReward(token: string | null, signal: AbortSignal): Promise<RewardAnswer> {
  if (token === null) throw new Error('Not authenticated');
  try {
    return await http({ path: '/api/reward/profile', token, schema: rewardAnswer, signal });
  } catch (error) {
    if (error instanceof HttpError) throw new RewardError(error.status, { cause: error });
    throw error;
  }
}

/**
 * `GET /api/reward/profile`: only when signed in and with a token, fresh for 5 min, no retry. Throws 'Not
 * authenticated' while signed out, `RewardError` for a response outside 2xx.
 */
export const rewardQuery = ({
  isAuthenticated,
  accessToken,
}: Pick<Auth, 'isAuthenticated' | 'accessToken'>) =>
  queryOptions({
    queryKey: queryKeys.reward,
    queryFn: ({ signal }) => readReward(isAuthenticated ? accessToken : null, signal),
    staleTime: limits.rewardFreshMs,
    retry: false,
    enabled: isAuthenticated && accessToken !== null,
  });

/** The signed-in user's rank and experience. */
export const useReward = () => useQuery(rewardQuery(useAuth()));
