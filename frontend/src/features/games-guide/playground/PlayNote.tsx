import { playgroundPath } from '@orange-id/contract/games.guide';
import { Button } from 'antd';
import { Link } from 'react-router-dom';
import { projectPath } from '../../../api/projects/project.path';
import type { KeptIn } from './useGameKeeper';
import styles from './playground.module.css';

/** Asks before the user is connected to their project’s app as a player. */
export function PlayNote({ place: { project, game }, onPlay }: { place: KeptIn; onPlay: () => void }) {
  return (
    <div className={styles.kept}>
      <p className={styles.help}>
        To keep data and scores in the game <code>{game}</code>, you become a player of{' '}
        <Link to={projectPath(project)}>your project</Link>: its app is connected to your account, also if you
        have disconnected it, and you count as one of its users.
      </p>
      <p>
        <Button type="primary" onClick={onPlay}>
          Play as yourself
        </Button>{' '}
        <Link to={playgroundPath}>Save in this browser instead</Link>
      </p>
    </div>
  );
}
