import { useState } from 'react';
import { LinkButton } from '../../ui/LinkButton';
import { useHydrated } from '../../ui/useHydrated';
import {
  growthFor,
  months,
  platforms,
  regions,
  shortNumber,
  type GrowthFigures,
  type GrowthFilter,
} from './growth.figures';
import { usersScreens } from './landing.pictures';
import { growth, usersPicture } from './landing.text';
import { ProductPicture } from './ProductPicture';
import { SectionHead } from './SectionHead';
import styles from './landing.module.css';

const everything: GrowthFilter = { region: null, platform: null };
const whole = growthFor(everything).series;

/**
 * An illustration of analytics, labelled as such: user growth, filtered by region and platform. Below it, a picture of
 * the real ones.
 */
export function GrowthSection() {
  const [filter, setFilter] = useState(everything);
  const figures = growthFor(filter);
  return (
    <section aria-labelledby="growth-title">
      <div className={styles.growthHead}>
        <SectionHead id="growth-title" title={growth.title} lead={growth.lead} />
        <LinkButton to="/projects" size="large">
          {growth.open}
        </LinkButton>
      </div>
      <div className={styles.growth} role="group" aria-label={growth.mark}>
        <div className={styles.growthBar}>
          <Choice
            name={growth.region}
            options={regions}
            value={filter.region}
            onChoose={(region) => setFilter((before) => ({ ...before, region }))}
          />
          <Choice
            name={growth.platform}
            options={platforms}
            value={filter.platform}
            onChoose={(platform) => setFilter((before) => ({ ...before, platform }))}
          />
          <span className={styles.exampleMark}>{growth.mark}</span>
        </div>
        <div role="status">
          <dl className={styles.growthFigures}>
            <div>
              <dt>{growth.users}</dt>
              <dd>
                {figures.users} <span className={styles.growthChange}>{figures.change} in a month</span>
              </dd>
            </div>
            <div>
              <dt>{growth.completed}</dt>
              <dd>{figures.completed}</dd>
            </div>
            <div>
              <dt>{growth.seconds}</dt>
              <dd>{figures.seconds}</dd>
            </div>
          </dl>
        </div>
        <Chart figures={figures} />
        <p className={styles.growthNote}>{growth.note}</p>
      </div>
      <figure className={styles.growthPicture}>
        <ProductPicture {...usersScreens} alt={usersPicture.alt} />
        <figcaption>{usersPicture.caption}</figcaption>
      </figure>
    </section>
  );
}

interface ChoiceProps<Option extends string> {
  name: string;
  options: readonly Option[];
  value: Option | null;
  onChoose: (option: Option | null) => void;
}

/** A filter: all, or one of the options. */
function Choice<Option extends string>({ name, options, value, onChoose }: ChoiceProps<Option>) {
  const isHydrated = useHydrated();
  return (
    <fieldset className={styles.segments} disabled={!isHydrated}>
      <legend>{name}</legend>
      <div className={styles.segmentsRow}>
        {[null, ...options].map((option) => (
          <label key={option}>
            <input
              type="radio"
              name={name}
              value={option ?? ''}
              autoComplete="off"
              checked={value === option}
              onChange={() => onChoose(option)}
            />
            <span>{option ?? 'All'}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Bars of the filtered users in front of bars of all users, so that a filter shows as a part of the total. */
function Chart({ figures }: { figures: GrowthFigures }) {
  const top = whole.at(-1) ?? 1;
  return (
    <figure>
      <div className={styles.chartBars} aria-hidden>
        {figures.series.map((users, month) => (
          <div key={month} className={styles.chartMonth}>
            <div className={styles.chartColumn}>
              <span
                className={styles.chartWhole}
                style={{ blockSize: `${(100 * (whole[month] ?? 0)) / top}%` }}
              />
              <span className={styles.chartPart} style={{ blockSize: `${(100 * users) / top}%` }} />
            </div>
            <span className={styles.chartLabel}>{months[month]}</span>
          </div>
        ))}
      </div>
      <table className="visually-hidden">
        <caption>{growth.chart}</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">{growth.users}</th>
          </tr>
        </thead>
        <tbody>
          {figures.series.map((users, month) => (
            <tr key={month}>
              <th scope="row">{months[month]}</th>
              <td>{shortNumber(users)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
