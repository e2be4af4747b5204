import { DeleteOutlined, LoadingOutlined, TrophyOutlined } from '@ant-design/icons';
import type { LeaderboardPeriod, ProjectGame } from '@orange-id/contract/games.schema';
import { playgroundPath } from '@orange-id/contract/games.guide';
import { limits } from '@orange-id/contract/limits';
import { checkName } from '@orange-id/contract/text.rule';
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Button, Card, Flex, Input, Segmented, Typography, type InputRef } from 'antd';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { change } from '../../api/cache/change';
import { queryKeys } from '../../api/cache/query.keys';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { createGame, deleteGame, useLeaderboard, useProjectGames } from '../../api/projects/games.calls';
import { Ago } from '../../ui/Ago';
import { CopyButton } from '../../ui/CopyButton';
import { Field } from '../../ui/Field';
import { ListState } from '../../ui/ListState';
import { formatCount } from '../../ui/number.text';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import { addGameMachine, deleteGameMachine } from './games.machine';
import styles from './games.module.css';

const counted = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** The games of a project, with players, plays and errors, each with its leaderboard. */
export function ProjectGames({ code }: { code: string }) {
  const query = useProjectGames(code);
  const { data, error, isPending, isFetching, refetch } = query;
  const games = data ?? [];
  const [openId, setOpenId] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const deletedId = useRef<string>(null);
  const queryClient = useQueryClient();
  const showToast = useToast();
  const remove = useCallback(
    ({ id }: { id: string }) =>
      change(queryClient, [queryKeys.projectGames], async () => {
        try {
          await deleteGame(code, id);
        } catch (failure) {
          if (!(failure instanceof HttpError && failure.code === 'game.notFound')) throw failure;
        }
      }),
    [queryClient, code],
  );
  const deletion = useSubmission(deleteGameMachine, remove, {
    onDone: ({ id, name }) => {
      showToast({ tone: 'success', title: 'Game deleted', description: name });
      deletedId.current = id;
    },
  });
  useEffect(() => {
    // The row may go after the dialog has given the focus back to its button.
    if (deletedId.current === null || data?.some(({ id }) => id === deletedId.current)) return;
    deletedId.current = null;
    if (document.activeElement === document.body) heading.current?.focus();
  }, [data]);
  const deleting = useSelector(deletion, ({ context }) => context.subject?.name);
  return (
    <Card>
      <Flex component="section" vertical gap={16} aria-labelledby="games-title">
        <h3 id="games-title" ref={heading} tabIndex={-1}>
          {games.length === 0 ? 'Games' : `Games (${games.length})`}
        </h3>
        <ListState
          isLoading={isPending}
          error={data ? null : error}
          errorTitle="Failed to load games"
          isRetrying={isFetching}
          onRetry={() => void refetch()}
          isEmpty={false}
          emptyTitle=""
        >
          {games.length === 0 ? (
            <Typography.Text type="secondary">
              Add a game to keep its players’ data and scores here:{' '}
              <Link to="/games-sdk-integration-guide#data-and-scores">how a game saves</Link>.
            </Typography.Text>
          ) : (
            <ul className="rows">
              {games.map((game) => (
                <li key={game.id} className={styles.game ?? ''}>
                  <GameRow
                    code={code}
                    game={game}
                    isOpen={openId === game.id}
                    onToggle={() => setOpenId(openId === game.id ? null : game.id)}
                    onDelete={() => deletion.send({ type: 'submission.open', subject: game })}
                  />
                  {openId === game.id && <Leaderboard code={code} game={game} />}
                </li>
              ))}
            </ul>
          )}
          <AddGame code={code} games={games} />
        </ListState>
      </Flex>
      <SubmissionDialog
        actor={deletion}
        title="Delete game"
        act="Delete"
        busyAct="Deleting..."
        failureOf={(failure) => `Failed to delete: ${failureText(failure as Error)}`}
        focusAfter={heading}
      >
        This deletes <strong>{deleting}</strong> with the data and scores of all its players. You can’t undo
        this.
      </SubmissionDialog>
    </Card>
  );
}

interface GameRowProps {
  code: string;
  game: ProjectGame;
  isOpen: boolean;
  onToggle: () => void;
  onDelete: () => void;
}

function GameRow({ code, game, isOpen, onToggle, onDelete }: GameRowProps) {
  const { id, name, players, plays, errors } = game;
  return (
    <div className={styles.row}>
      <span className="rows-words">
        <strong>{name}</strong>
        <span className="note tabular">
          {counted(players, 'player')} · {counted(plays, 'play')} ·{' '}
          {counted(errors, 'refused save or score', 'refused saves and scores')}
        </span>
      </span>
      <span className={styles.id}>
        <code>{id}</code>
        <CopyButton text={id} label={`game ID ${id}`} type="text" size="small" iconOnly />
      </span>
      <Link
        to={`${playgroundPath}?${new URLSearchParams({ project: code, game: id })}`}
        aria-label={`Play ${name} in the playground`}
      >
        Playground
      </Link>
      <Button
        size="small"
        icon={<TrophyOutlined aria-hidden />}
        aria-label={`Leaderboard of ${name}`}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        Leaderboard
      </Button>
      <Button
        type="text"
        size="small"
        icon={<DeleteOutlined />}
        aria-label={`Delete ${name}`}
        onClick={onDelete}
      />
    </div>
  );
}

const periods: { value: LeaderboardPeriod; label: string }[] = [
  { value: 'all', label: 'All time' },
  { value: 'today', label: 'Today (UTC)' },
];

/** The best scores of a game, live. */
function Leaderboard({ code, game: { id, name } }: { code: string; game: ProjectGame }) {
  const [period, setPeriod] = useState<LeaderboardPeriod>('all');
  const { data, error, isPending, isFetching, refetch } = useLeaderboard(code, id, period);
  const scores = data?.scores ?? [];
  return (
    <section className={styles.board} aria-label={`Best scores of ${name}`}>
      <Segmented<LeaderboardPeriod>
        aria-label="Period"
        size="small"
        options={periods}
        value={period}
        onChange={setPeriod}
      />
      <ListState
        isLoading={isPending}
        error={data ? null : error}
        errorTitle="Failed to load the leaderboard"
        isRetrying={isFetching}
        onRetry={() => void refetch()}
        isEmpty={scores.length === 0}
        emptyTitle={period === 'today' ? 'Nobody has played today' : 'Nobody has played yet'}
      >
        <table className={styles.scores}>
          <thead>
            <tr>
              <th scope="col">Rank</th>
              <th scope="col">Player</th>
              <th scope="col">Score</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {scores.map(({ rank, name: player, score, at }, place) => (
              <tr key={place}>
                <td className="tabular">{rank}</td>
                <th scope="row" className={player === null ? styles.unnamed : undefined}>
                  {player ?? 'Player without a shared name'}
                </th>
                <td className="tabular">{score.toLocaleString('en-US', { maximumFractionDigits: 3 })}</td>
                <td>
                  <Ago iso={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ListState>
    </section>
  );
}

function AddGame({ code, games }: { code: string; games: readonly ProjectGame[] }) {
  const queryClient = useQueryClient();
  const showToast = useToast();
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const input = useRef<InputRef>(null);
  const add = useCallback(
    (subject: { name: string }) =>
      change(queryClient, [queryKeys.projectGames], () => createGame(code, subject)),
    [queryClient, code],
  );
  const actor = useSubmission(addGameMachine, add, {
    onDone: (subject) => {
      setName('');
      showToast({ tone: 'success', title: 'Game added', description: subject.name });
    },
    onFailed: (failure) => {
      setError(`Failed to add the game: ${failureText(failure as Error)}`);
      input.current?.focus();
    },
  });
  const snapshot = useSelector(actor, (current) => current);
  const isBusy = snapshot.hasTag('busy');
  if (games.length >= limits.gamesPerProject) {
    return (
      <span className="note">
        A project can have {limits.gamesPerProject} games. Delete one to add another.
      </span>
    );
  }
  return (
    <form
      noValidate
      aria-label="Add game"
      data-machine="addGame"
      data-state={snapshot.value}
      onSubmit={(event) => {
        event.preventDefault();
        if (isBusy) return;
        const verdict = checkName(name, limits.gameNameMaxCharacters);
        setError(verdict.ok ? null : nameErrors[verdict.code]);
        if (verdict.ok) actor.send({ type: 'submission.start', subject: { name: verdict.name } });
        else input.current?.focus();
      }}
    >
      <Field
        label="New game"
        error={error}
        help="The name also becomes its API ID, such as coin-rush."
        action={
          <Button htmlType="submit" disabled={isBusy} icon={isBusy && <LoadingOutlined aria-hidden />}>
            {isBusy ? 'Adding...' : 'Add game'}
          </Button>
        }
      >
        {({ status, ...control }) => (
          <Input
            {...control}
            status={status}
            ref={input}
            autoComplete="off"
            placeholder="Coin Rush"
            value={name}
            onChange={({ target }) => {
              setName(target.value);
              setError(null);
            }}
          />
        )}
      </Field>
    </form>
  );
}

const nameErrors = {
  required: 'Enter a name.',
  tooLong: `Enter at most ${limits.gameNameMaxCharacters} characters.`,
  invisible: 'The name has invisible characters. Type it again.',
};
