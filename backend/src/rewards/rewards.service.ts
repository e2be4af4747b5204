import { Injectable } from '@nestjs/common';
import { profileGaps } from '@orange-id/contract/profile.rule';
import { daysCounted, experiencePointsOf, rankAt } from '@orange-id/contract/rewards.rule';
import type { RewardProfile } from '@orange-id/contract/rewards.schema';
import { DataSource } from 'typeorm';
import type { User } from '../auth/user.entity.js';

interface ActivityRow {
  kinds: number;
  has_project: boolean;
  calls: string;
  days: number;
}

/** The rewards of developers, computed on each request from their activity (decision 26); nothing is stored. */
@Injectable()
export class RewardsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Rank, its image and raw experience points. Costs one statement of index probes, the same after a hundred calls as
   * after a hundred million: one row of `usage_heads`, the first row of each of at most 60 days in `usage_key_days`, one
   * row of `projects`, and the account's at most 20 sign-in methods. Does not read `api_usage`.
   */
  async profile(user: User): Promise<RewardProfile> {
    const [row] = (await this.dataSource.query(
      `with recursive days as (
         (select day, 1 as place from usage_key_days where user_id = $1 order by day limit 1)
         union all
         select later.day, days.place + 1 from days cross join lateral (
           select day from usage_key_days where user_id = $1 and day > days.day order by day limit 1
         ) later
         where days.place < ${daysCounted}
       ), methods as (
         select 'email' as kind from credentials where user_id = $1
         union select provider from linked_identities where user_id = $1
       )
       select
         (select count(*)::int from methods) as kinds,
         exists (select from projects where owner_id = $1) as has_project,
         coalesce((select seq from usage_heads where user_id = $1), 0) as calls,
         (select count(*)::int from days) as days`,
      [user.id],
    )) as [ActivityRow];
    const experiencePoints = experiencePointsOf({
      isProfileComplete: profileGaps(user).length === 0,
      isEmailVerified: user.emailVerified,
      signInKinds: row.kinds,
      hasProject: row.has_project,
      calls: Number(row.calls),
      daysWithCalls: row.days,
    });
    const { rank, rankImage } = rankAt(experiencePoints).current;
    return { rank, rankImage, experiencePoints };
  }
}
