import { useActorRef, useSelector } from '@xstate/react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { StateValueFrom } from 'xstate';
import { inspected } from '../../../inspect/machine.inspect';
import { gameHostMachine } from './game.host.machine';
import type { GameKeeper } from './game.keeper';
import { emptySession, GameSession, type SessionState } from './game.session';
import { isAnswering, readSaved, writeSaved, type GameSource } from './game.source';

export type HostState = StateValueFrom<typeof gameHostMachine>;

interface Host extends SessionState {
  state: HostState;
  /** Why the playground can't run the game; `null` if it can. */
  failure: string | null;
  /** The data that the game has saved, as JSON. */
  saved: string | null;
  pause: () => void;
  resume: () => void;
  quit: () => void;
  mute: (isMuted: boolean) => void;
  fillScreen: () => void;
  judgeFullScreen: (fillsScreen: boolean) => void;
}

interface Place {
  playgroundOrigin: string | null;
  isSlow: boolean;
  /** Keeps the game's data and scores in a project; `null`: this browser keeps the data. */
  keeper: GameKeeper | null;
  /** The name under which this browser keeps it. */
  dataName: string;
}

/** Hosts one run of a game in a frame. */
export function useGame(
  frame: RefObject<HTMLIFrameElement | null>,
  source: GameSource,
  { playgroundOrigin, isSlow, keeper, dataName: name }: Place,
): Host {
  const actor = useActorRef(gameHostMachine, inspected);
  const state = useSelector(actor, ({ value }) => value);
  const session = useRef<GameSession>(null);
  const [{ facts, log }, setSession] = useState<SessionState>(emptySession);
  const [failure, setFailure] = useState<string | null>(null);
  const [saved, setSaved] = useState(() => (keeper ? keeper.saved : readSaved(name)));

  useEffect(() => {
    const { contentWindow } = frame.current ?? {};
    if (!contentWindow) return undefined;
    // A game may send a thousand messages a second: the page shows the last state of each frame.
    let latest: SessionState | null = null;
    let request = 0;
    const show = () => {
      request = 0;
      if (latest) setSession(latest);
    };
    const hosted = new GameSession(contentWindow, {
      playgroundOrigin,
      saved: keeper ? keeper.saved : readSaved(name),
      onEvent: (type) => actor.send({ type }),
      onSave: (json) => {
        if (keeper) keeper.save(json);
        else writeSaved(name, json);
        setSaved(json);
      },
      onScore: (score) => keeper?.addScore(score),
      onReady: () =>
        hosted.tell({
          playground: 'open',
          files: source.kind === 'files' ? source.game.files : null,
          isSlow,
        }),
      onFailure: setFailure,
      onChange: (next) => {
        latest = next;
        request ||= requestAnimationFrame(show);
      },
    });
    session.current = hosted;
    const receive = (event: MessageEvent) => hosted.receive(event);
    window.addEventListener('message', receive);
    return () => {
      window.removeEventListener('message', receive);
      cancelAnimationFrame(request);
      session.current = null;
    };
  }, [actor, frame, source, name, playgroundOrigin, isSlow, keeper]);

  const address = source.kind === 'address' ? source.address : null;
  useEffect(() => {
    if (address === null) return undefined;
    const leaving = new AbortController();
    void isAnswering(address, leaving.signal).then((isThere) => {
      if (!isThere && !leaving.signal.aborted) actor.send({ type: 'host.unanswered' });
    });
    return () => leaving.abort();
  }, [actor, address]);

  return {
    state,
    facts,
    log,
    failure,
    saved,
    pause: () => {
      session.current?.pause();
      actor.send({ type: 'host.pause' });
    },
    resume: () => {
      session.current?.resume();
      actor.send({ type: 'host.resume' });
    },
    quit: () => {
      // First, so that an answer finds the machine waiting for it.
      actor.send({ type: 'host.quit' });
      session.current?.quit();
    },
    mute: (isMuted: boolean) => session.current?.tell({ playground: 'mute', isMuted }),
    fillScreen: () => {
      // A browser without the API, or that refuses it, leaves the check open.
      frame.current?.requestFullscreen?.().then(
        () => session.current?.noteFullScreen(),
        () => undefined,
      );
    },
    judgeFullScreen: (fillsScreen: boolean) => session.current?.judgeFullScreen(fillsScreen),
  };
}
