import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  ExclamationCircleFilled,
  MinusCircleOutlined,
} from '@ant-design/icons';
import { gamesGuidePath } from '@orange-id/contract/games.guide';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DocsText } from '../../../ui/DocsText';
import type { Check } from './game.checks';
import styles from './playground.module.css';

export const resultWords: Record<Check['result'], string> = {
  passed: 'Passed',
  failed: 'Failed',
  warning: 'Warning',
  waiting: 'Waiting',
  notChecked: 'Not checked',
};

const icons: Record<Check['result'], ReactNode> = {
  passed: <CheckCircleFilled />,
  failed: <CloseCircleFilled />,
  warning: <ExclamationCircleFilled />,
  waiting: <ClockCircleOutlined />,
  notChecked: <MinusCircleOutlined />,
};

/** What was found in the game, with what is expected and the guide's section. */
export function GameChecks({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className={styles.checks} aria-label="Checks">
      {checks.map(({ id, title, result, found, expected, section }) => (
        <li key={id} data-result={result}>
          <span className={styles.mark} aria-hidden>
            {icons[result]}
          </span>
          <div>
            <p>
              <strong>{title}</strong>
              <span className={styles.result}>{resultWords[result]}</span>
            </p>
            <p className={styles.found}>{found}</p>
            <p className={styles.expected}>
              <span>Expected: </span>
              <DocsText text={expected} /> · <Link to={`${gamesGuidePath}#${section}`}>Guide</Link>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
