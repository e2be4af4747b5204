import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useReward } from '../../api/get.reward';
import { queryKeys } from '../../api/query.keys';
import type { Step } from './started.steps';

const stepsKey = [...queryKeys.reward, 'steps'] as const;

/** The reward profile, asked for again before its five minutes are over once a step that earns something has changed. */
export function useRewardFollowing(steps: readonly Step[]) {
  const reward = useReward();
  const queryClient = useQueryClient();
  const isSettled = steps.every(({ state }) => state === 'done' || state === 'open');
  const states = isSettled ? steps.map(({ state }) => state).join() : null;

  useEffect(() => {
    if (states === null) return;
    // Beside the reward itself, so that a step done on another page is noticed, and signing out forgets it.
    const before = queryClient.getQueryData(stepsKey);
    queryClient.setQueryData(stepsKey, states);
    if (before !== undefined && before !== states)
      void queryClient.invalidateQueries({ queryKey: queryKeys.reward, exact: true });
  }, [states, queryClient]);

  return reward;
}
