import { z } from 'zod';

/** `GET /api/reward/profile`; `experiencePoints` are raw, 100 of them are 1 XP. */
export const rewardProfile = z.object({
  rank: z.string(),
  rankImage: z.string(),
  experiencePoints: z.number().int(),
});
export type RewardProfile = z.infer<typeof rewardProfile>;

/** What the dashboard accepts in place of `rewardProfile`: it shows a default for each missing or empty field. */
export const rewardAnswer = z.object({
  rank: z.string().nullish(),
  rankImage: z.string().nullish(),
  experiencePoints: z.number().nullish(),
});
export type RewardAnswer = z.infer<typeof rewardAnswer>;
