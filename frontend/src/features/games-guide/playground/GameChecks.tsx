import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  ExclamationCircleFilled,
  MinusCircleOutlined,
  QuestionCircleOutlined,
} from '@ant-design/icons';
import { gamesGuidePath } from '@orange-id/contract/games.guide';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DocsText } from '../../../ui/DocsText';
import type { Check } from './game.checks';
import styles from './playground.module.css';

export const resultWords: Record<Check['result'], string> = {
  passed: 'Passed',
  failed: 'Failed',
  warning: 'Warning',
  ask: 'Check yourself',
  waiting: 'Waiting',
  notChecked: 'Not checked',
};

const icons: Record<Check['result'], ReactNode> = {
  passed: <CheckCircleFilled />,
  failed: <CloseCircleFilled />,
  warning: <ExclamationCircleFilled />,
  ask: <QuestionCircleOutlined />,
  waiting: <ClockCircleOutlined />,
  notChecked: <MinusCircleOutlined />,
};

interface GameChecksProps {
  checks: readonly Check[];
  /** What the developer said of the game in full screen, if anything. */
  fillsScreen: boolean | null;
  /** `null` until the game has been in full screen. */
  onJudge: ((fillsScreen: boolean) => void) | null;
}

/** What was found in the game, with what is expected and the guide's section. */
export function GameChecks({ checks, fillsScreen, onJudge }: GameChecksProps) {
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
            {id === 'screen' && onJudge && (
              <div className={styles.judge} role="group" aria-label="Does the game fill the screen?">
                <Button size="small" aria-pressed={fillsScreen === true} onClick={() => onJudge(true)}>
                  Yes
                </Button>
                <Button size="small" aria-pressed={fillsScreen === false} onClick={() => onJudge(false)}>
                  No
                </Button>
              </div>
            )}
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
