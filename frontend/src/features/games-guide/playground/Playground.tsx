import { playgroundPath } from '@orange-id/contract/games.guide';
import { Alert, Button, Segmented, Switch, Tag } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useSearchParams } from 'react-router-dom';
import { useConfig } from '../../../api/config/config.context';
import { projectPath } from '../../../api/projects/project.path';
import { useAuth } from '../../../api/session/auth.context';
import { rememberPage } from '../../../api/session/left.page';
import { LoadFailure } from '../../../ui/LoadFailure';
import { saveFile } from '../../../ui/save.file';
import { checksOf, summaryOf, type Check } from './game.checks';
import type { GameKeeper } from './game.keeper';
import { describe, nameOf, frameAddress, sandboxOf, writeSaved, type GameSource } from './game.source';
import { GameChecks } from './GameChecks';
import { GameLog } from './GameLog';
import { GamePicker } from './GamePicker';
import { GameReport } from './GameReport';
import { gameHostMachine } from './game.host.machine';
import { PlayNote } from './PlayNote';
import { useGameKeeper, type KeptIn } from './useGameKeeper';
import { useGame, type HostState } from './useGame';
import styles from './playground.module.css';

const states: Record<HostState, string> = {
  loading: 'Loading',
  playing: 'Playing',
  paused: 'Paused',
  over: 'Game over',
  quitting: 'Quitting',
  closed: 'Closed',
  unanswered: 'No answer',
};

type View = 'checks' | 'messages' | 'data';

/** Runs a game as its host would, and checks it: a page of its own, and a part of the guide. */
export function Playground() {
  const { playgroundOrigin } = useConfig();
  const [source, setSource] = useState<GameSource | null>({ kind: 'sample' });
  const [run, setRun] = useState(1);
  const [isSlow, setSlow] = useState(false);
  const { place, isSignedIn, isLoading } = usePlace();
  // A game of a project has data of its own, whatever files run as that game.
  const dataName = place ? `${place.project}/${place.game}` : source ? nameOf(source) : '';
  /** The game whose data the user wants to keep in its project. */
  const [played, setPlayed] = useState<string | null>(null);
  const asked = isSignedIn && played !== dataName ? place : null;
  const keptIn = isSignedIn && asked === null ? place : null;
  const kept = useGameKeeper(keptIn, dataName);

  return (
    <div className={styles.root}>
      <GamePicker
        source={source}
        hasOrigin={playgroundOrigin !== null}
        onPick={(next) => {
          setSource(next);
          setRun(run + 1);
        }}
      />
      {asked && <PlayNote place={asked} onPlay={() => setPlayed(dataName)} />}
      {keptIn && <KeptNote place={keptIn} error={kept.error} problem={kept.problem} onRetry={kept.retry} />}
      {place && !isSignedIn && !isLoading && <VisitorNote place={place} />}
      {source === null && (
        <p className={`list-empty ${styles.help}`}>Choose a game above. It runs here, with its checks.</p>
      )}
      {source && (keptIn ? kept.keeper : !asked && !(place && isLoading)) && (
        <Host
          key={run}
          keeper={kept.keeper}
          dataName={dataName}
          source={source}
          isSlow={isSlow}
          onSlow={(isOn) => {
            setSlow(isOn);
            setRun(run + 1);
          }}
          onRestart={() => setRun(run + 1)}
        />
      )}
    </div>
  );
}

/** The game of a project that the address names, and whether a signed-in user can keep its data there. */
function usePlace(): { place: KeptIn | null; isSignedIn: boolean; isLoading: boolean } {
  const [query] = useSearchParams();
  const { isAuthenticated, isLoading } = useAuth();
  const [project, game] = [query.get('project'), query.get('game')];
  return { place: project && game ? { project, game } : null, isSignedIn: isAuthenticated, isLoading };
}

/** Until they sign in, a visitor's data stays in the browser. */
function VisitorNote({ place: { project, game } }: { place: KeptIn }) {
  return (
    <div className={styles.kept}>
      <p className={styles.help}>
        <Link
          to="/login"
          onClick={() => rememberPage(`${playgroundPath}?${new URLSearchParams({ project, game })}`)}
        >
          Sign in
        </Link>{' '}
        to keep data and scores in the game <code>{game}</code>. Until then this browser keeps the data, and
        it comes along when you sign in.
      </p>
    </div>
  );
}

interface KeptNoteProps {
  place: KeptIn;
  error: unknown;
  problem: string | null;
  onRetry: () => void;
}

/** Says where data and scores are kept, and what went wrong there. */
function KeptNote({ place: { project, game }, error, problem, onRetry }: KeptNoteProps) {
  if (error)
    return <LoadFailure title="Failed to load the game’s data" error={error as Error} onRetry={onRetry} />;
  return (
    <div className={styles.kept}>
      <p className={styles.help}>
        Saving to <code>{game}</code> in <Link to={projectPath(project)}>your project</Link>, as you.{' '}
        <Link to={playgroundPath}>Save in this browser instead</Link>.
      </p>
      {problem !== null && <Alert type="warning" showIcon role="alert" title={problem} />}
    </div>
  );
}

interface HostProps {
  keeper: GameKeeper | null;
  /** The name under which this browser keeps the data without a keeper. */
  dataName: string;
  source: GameSource;
  isSlow: boolean;
  /** Starts again with a slow network, or without. */
  onSlow: (isSlow: boolean) => void;
  onRestart: () => void;
}

/** One run of a game. */
function Host({ keeper, dataName, source, isSlow, onSlow, onRestart }: HostProps) {
  const { playgroundOrigin, links } = useConfig();
  const [view, setView] = useState<View>('checks');
  const [size, setSize] = useState<'phone' | 'desktop'>('phone');
  const [isMuted, setMuted] = useState(false);
  const [isPrinting, setPrinting] = useState(false);
  const name = nameOf(source);
  const frame = useRef<HTMLIFrameElement>(null);
  const game = useGame(frame, source, { playgroundOrigin, isSlow, keeper, dataName });
  const { state, facts, log, failure, saved } = game;
  const isClosed = state === 'closed';
  const { name: title, details } = describe(source);
  const checks = useMemo(() => {
    const files = source.kind === 'files' ? { bytes: source.game.bytes, ...source.scripts } : null;
    return checksOf({ facts, files, isReported: source.kind !== 'address', isClosed });
  }, [facts, source, isClosed]);
  useEffect(() => {
    const end = () => setPrinting(false);
    window.addEventListener('afterprint', end);
    return () => window.removeEventListener('afterprint', end);
  }, []);
  const address = frameAddress(source, playgroundOrigin);
  const failed = checks.filter(({ result }) => result === 'failed').length;

  return (
    <div className={styles.columns} data-machine={gameHostMachine.id} data-state={state}>
      <section className={styles.stage} aria-label="Game">
        <p className={styles.what}>
          <strong>{title}</strong> <span aria-hidden>·</span> <span className={styles.help}>{details}</span>
        </p>
        <div className={styles.bar}>
          <Tag role="status">{states[state]}</Tag>
          {isClosed ? (
            <Button size="small" onClick={onRestart}>
              Start again
            </Button>
          ) : state === 'unanswered' ? (
            <Button size="small" onClick={onRestart}>
              Try again
            </Button>
          ) : (
            <>
              <Button
                size="small"
                disabled={state === 'loading'}
                onClick={state === 'paused' ? game.resume : game.pause}
              >
                {state === 'paused' ? 'Resume' : 'Pause'}
              </Button>
              <Button size="small" disabled={state === 'quitting'} onClick={game.quit}>
                Quit
              </Button>
              <Button size="small" onClick={onRestart}>
                Restart
              </Button>
              <Button size="small" onClick={game.fillScreen}>
                Full screen
              </Button>
            </>
          )}
          <Segmented
            size="small"
            aria-label="Size"
            options={[
              { value: 'phone', label: 'Phone' },
              { value: 'desktop', label: 'Desktop' },
            ]}
            value={size}
            onChange={setSize}
          />
        </div>
        {failure !== null && (
          <Alert
            type="error"
            showIcon
            title="The game can’t run in this browser"
            description={`${failure}. Allow site data for ${playgroundOrigin ?? 'the game'}, then restart.`}
          />
        )}
        <div className={styles.screen} data-size={size}>
          {source.kind === 'address' && state === 'unanswered' && (
            <p className={styles.unanswered} role="alert">
              Nothing answered at {new URL(source.address).origin}. Is your server running?
            </p>
          )}
          {isClosed ? (
            <p className={styles.empty}>The game was removed.</p>
          ) : (
            <iframe
              ref={frame}
              title="Game"
              src={address}
              className={styles.frame}
              sandbox={sandboxOf(source, playgroundOrigin)}
              allow="autoplay; fullscreen; gamepad"
            />
          )}
        </div>
        {source.kind !== 'address' && (
          <div className={styles.bar}>
            <label className={styles.switch}>
              <Switch
                size="small"
                checked={isMuted}
                onChange={(isOn) => {
                  setMuted(isOn);
                  game.mute(isOn);
                }}
              />{' '}
              <span>Mute</span>
            </label>
            {/* The service worker of the games' origin delays the files. */}
            {playgroundOrigin !== null && (
              <label className={styles.switch}>
                <Switch size="small" checked={isSlow} onChange={onSlow} /> <span>Slow network</span>
              </label>
            )}
          </div>
        )}
      </section>
      <section className={styles.findings} aria-label="Findings">
        <Segmented<View>
          aria-label="Findings"
          options={[
            { value: 'checks', label: failed > 0 ? `Checks (${failed} failed)` : 'Checks' },
            { value: 'messages', label: `Messages (${log.length})` },
            { value: 'data', label: 'Saved data' },
          ]}
          value={view}
          onChange={setView}
        />
        {view === 'checks' && (
          <>
            <p className={styles.summary} role="status" aria-label="Summary">
              {summaryOf(checks)}
            </p>
            <div className={styles.acts}>
              <Button type="primary" onClick={() => saveFile('game-report.json', reportOf(name, checks))}>
                Download report
              </Button>
              <Button
                onClick={() => {
                  flushSync(() => setPrinting(true));
                  window.print();
                }}
              >
                Print report
              </Button>
              {links.gameForm !== null && (
                <Button href={links.gameForm} target="_blank" rel="noreferrer">
                  Submit your game
                </Button>
              )}
            </div>
            <GameChecks
              checks={checks}
              onJudge={facts.hasFilledScreen ? game.judgeFullScreen : null}
              fillsScreen={facts.fillsScreen}
            />
            {isPrinting && <GameReport name={name} checks={checks} />}
          </>
        )}
        {view === 'messages' && <GameLog log={log} />}
        {view === 'data' && (
          <>
            <p className={styles.help}>
              {keeper ? 'Your project keeps this data.' : 'This browser keeps the data of each game.'}
            </p>
            <pre className={styles.data}>{saved ?? 'Nothing is saved.'}</pre>
            {keeper === null && (
              <Button
                disabled={saved === null}
                onClick={() => {
                  writeSaved(dataName, null);
                  onRestart();
                }}
              >
                Clear and restart
              </Button>
            )}
          </>
        )}
      </section>
    </div>
  );
}

/** For the submission form. */
const reportOf = (name: string, checks: readonly Check[]): Blob =>
  new Blob([JSON.stringify({ game: name, checkedAt: new Date().toISOString(), checks }, null, 2)], {
    type: 'application/json',
  });
