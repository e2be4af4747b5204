import { describe, expect, jest, test } from '@jest/globals';
import type { GameSave, SavedGameData } from '@orange-id/contract/games.schema';
import { HttpError } from '../../../api/http';
import { GameKeeper } from './game.keeper';

/** All that the project has already answered is worked off. */
const settled = () => new Promise(setImmediate);

const at = '2026-01-31T12:00:00.000Z';

const watch = () => ({ onProblem: jest.fn(), onCarried: jest.fn() });

/** A project that keeps data as the portal does; `wait` holds each save until it resolves. */
function project(data: unknown = null, wait = () => Promise.resolve()) {
  let stored: SavedGameData = { data, version: data === null ? 0 : 1, saved_at: data === null ? null : at };
  const sent: GameSave[] = [];
  return {
    sent,
    saveElsewhere: (other: unknown) => {
      stored = { data: other, version: stored.version + 1, saved_at: at };
    },
    stored: () => stored,
    read: async () => stored,
    save: async (body: GameSave) => {
      sent.push(body);
      await wait();
      if (body.version !== stored.version) throw new HttpError(409, '{"code":"game.dataChanged"}');
      stored = { data: body.data, version: stored.version + 1, saved_at: at };
      return { version: stored.version, saved_at: at };
    },
    addScore: jest.fn(async (_score: number): Promise<unknown> => ({})),
  };
}

describe('a game whose data is kept in a project', () => {
  test('begins with the project’s data, or brings along what this browser has', async () => {
    const kept = project({ coins: 5 });
    expect((await GameKeeper.open(kept, '{"coins":1}', watch())).saved).toBe('{"coins":5}');
    expect(kept.sent).toEqual([]);
    const empty = project();
    expect((await GameKeeper.open(empty, '{"coins":1}', watch())).saved).toBe('{"coins":1}');
    await settled();
    expect(empty.stored()).toMatchObject({ data: { coins: 1 }, version: 1 });
    expect((await GameKeeper.open(project(), null, watch())).saved).toBeNull();
  });

  test('says when the project has what this browser kept, and never before', async () => {
    const carried = watch();
    const empty = project();
    await GameKeeper.open(empty, '{"coins":1}', carried);
    await settled();
    expect(carried.onCarried).toHaveBeenCalledTimes(1);

    // Another device saves first: what this browser kept stays where it is.
    const late = watch();
    const raced = project(null, async () => raced.saveElsewhere({ coins: 9 }));
    const keeper = await GameKeeper.open(raced, '{"coins":1}', late);
    await settled();
    keeper.save('{"coins":10}');
    await settled();
    expect(late.onCarried).not.toHaveBeenCalled();

    // A save that fails is followed by one that works.
    const failing = watch();
    const down = project();
    const { save } = down;
    down.save = () => Promise.reject(new TypeError('Failed to fetch'));
    const again = await GameKeeper.open(down, '{"coins":1}', failing);
    await settled();
    expect(failing.onCarried).not.toHaveBeenCalled();
    down.save = save;
    again.save('{"coins":2}');
    again.save('{"coins":3}');
    await settled();
    expect(failing.onCarried).toHaveBeenCalledTimes(1);
  });

  test('saves one at a time, and of several that wait only the newest', async () => {
    let release = () => {};
    const kept = project(null, () => new Promise((resolve) => (release = () => resolve())));
    const keeper = await GameKeeper.open(kept, null, watch());
    for (const json of ['1', '2', '3']) keeper.save(json);
    expect(kept.sent).toEqual([{ data: 1, version: 0 }]);
    release();
    await settled();
    expect(kept.sent).toHaveLength(2);
    expect(kept.sent[1]).toEqual({ data: 3, version: 1 });
    release();
    await settled();
    expect(kept.stored()).toMatchObject({ data: 3, version: 2 });
  });

  test('never overwrites what another device saved, and goes on from there', async () => {
    const problem = jest.fn();
    const kept = project({ coins: 1 });
    const keeper = await GameKeeper.open(kept, null, { ...watch(), onProblem: problem });
    kept.saveElsewhere({ coins: 9 });
    keeper.save('{"coins":2}');
    await settled();
    expect(problem).toHaveBeenCalledWith(expect.stringMatching(/^Another device saved/));
    expect(kept.stored().data).toEqual({ coins: 9 });
    expect(keeper.saved).toBe('{"coins":9}');
    keeper.save('{"coins":10}');
    await settled();
    expect(kept.stored()).toMatchObject({ data: { coins: 10 }, version: 3 });
    expect(problem).toHaveBeenLastCalledWith(null);
  });

  test('says why data or a score was not kept', async () => {
    const problem = jest.fn();
    const kept = project();
    kept.save = () => Promise.reject(new TypeError('Failed to fetch'));
    kept.addScore.mockRejectedValueOnce(new HttpError(429, '{"message":"Try again in 2 seconds"}'));
    const keeper = await GameKeeper.open(kept, null, { ...watch(), onProblem: problem });
    keeper.save('1');
    keeper.addScore(5);
    await settled();
    expect(problem).toHaveBeenCalledTimes(2);
    expect(problem).toHaveBeenCalledWith(expect.stringMatching(/^The data wasn’t kept: The server couldn’t/));
    expect(problem).toHaveBeenCalledWith('The score wasn’t kept: Try again in 2 seconds.');
  });
});
