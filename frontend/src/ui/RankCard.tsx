import './skeleton.css';
import './light-card.css';
import { DownOutlined } from '@ant-design/icons';
import {
  defaultRank,
  defaultRankImage,
  experienceMissing,
  experienceText,
  rankAt,
  rankProgress,
  rewards,
} from '@orange-id/contract/rewards.rule';
import type { RewardAnswer } from '@orange-id/contract/rewards.schema';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { QueryFailure } from './LoadFailure';
import { pictureAddress } from './picture.address';
import styles from './rank-card.module.css';

/** Rank, badge and experience, each with a fallback, and the progress to the next rank. */
export function RankCard({ reward }: { reward: UseQueryResult<RewardAnswer> }) {
  const { data, error } = reward;
  return (
    <section className={`light-card ${styles.card}`} aria-label="Rank">
      {data ? (
        <RankFace reward={data} />
      ) : error ? (
        <QueryFailure title="Failed to load your rank" query={reward} />
      ) : (
        <div role="status" aria-label="Loading rank">
          <div className="light-card-person">
            <span className={`skeleton ${styles.image}`} />
            <div>
              <span className="skeleton skeleton-line-20" />
              <span className="skeleton skeleton-line-14" />
            </div>
          </div>
          <span className={`skeleton track ${styles.track}`} />
          <span className="skeleton skeleton-line-12" />
        </div>
      )}
      <EarningTable />
    </section>
  );
}

function RankFace({ reward }: { reward: RewardAnswer }) {
  const points = reward.experiencePoints ?? 0;
  const rank = reward.rank?.trim() || defaultRank;
  const { current, next } = rankAt(points);
  // A hosted service may use other thresholds for its ranks; then the next rank isn't shown.
  const isByRule = current.rank === rank;
  const note = next === null ? 'Highest rank' : `${experienceMissing(points, next)} to ${next.rank}`;
  return (
    <>
      <div className="light-card-person">
        <RankImage src={reward.rankImage?.trim() || defaultRankImage} />
        <div>
          <h2>{rank}</h2>
          <p className={`${styles.points} tabular`}>{experienceText(points)}</p>
        </div>
      </div>
      {isByRule && (
        <>
          <div
            className={`track ${styles.track}`}
            role="progressbar"
            aria-label={next === null ? 'Rank' : `Progress to ${next.rank}`}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.floor(rankProgress(points) * 100)}
            aria-valuetext={note}
          >
            <span style={{ width: `${rankProgress(points) * 100}%` }} />
          </div>
          <p className="note tabular">{note}</p>
        </>
      )}
    </>
  );
}

/** The badge; the default one if it fails to load. Decorative, because the rank is beside it. */
function RankImage({ src }: { src: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  const shown = (broken === src ? null : pictureAddress(src)) ?? defaultRankImage;
  return (
    <img className={styles.image} src={shown} alt="" width={64} height={75} onError={() => setBroken(src)} />
  );
}

/** What earns experience, from the contract. */
function EarningTable() {
  return (
    <details className={styles.earning}>
      <summary>
        How to earn XP <DownOutlined aria-hidden />
      </summary>
      <table>
        <tbody>
          {rewards.map(({ title, points, most }) => (
            <tr key={title}>
              <th scope="row">
                {title}
                {most > 1 && <span className="unset"> up to {most}×</span>}
              </th>
              <td className="tabular">{experienceText(points)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
