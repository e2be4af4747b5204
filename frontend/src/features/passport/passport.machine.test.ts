import { describe, expect, test } from '@jest/globals';
import type { VersionInfo } from '@orange-id/contract/identity.schema';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import { passportMachine, type PassportAssets } from './passport.machine';

const version: VersionInfo = {
  cssUrl: '/widget/passport.css',
  cdnUrl: '/widget/passport.js',
  betaCssUrl: '/widget/beta.css',
  betaCdnUrl: '/widget/beta.js',
};

function start(versions: (VersionInfo | null | Error)[], isBeta = false) {
  const clock = new SimulatedClock();
  const watched: { assets: PassportAssets; pollMs: number }[] = [];
  let watching = 0;
  const actor = createActor(
    passportMachine.provide({
      actors: {
        readVersion: fromPromise<VersionInfo | null>(() => {
          const next = versions.shift() ?? null;
          return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
        }),
        watchPanel: fromCallback(({ input }) => {
          watched.push(input as { assets: PassportAssets; pollMs: number });
          watching += 1;
          return () => {
            watching -= 1;
          };
        }),
      },
    }),
    { clock, input: { isBeta } },
  ).start();
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return actor.getSnapshot().value;
  };
  return { actor, clock, settle, watched, watching: () => watching };
}

describe('the login widget', () => {
  test('waits for the version info, then checks for the panel every 100 ms', async () => {
    const { actor, settle, watched, watching } = start([version]);
    expect(actor.getSnapshot().value).toBe('waitingForVersion');
    expect(await settle()).toBe('loadingAssets');
    expect(watched).toEqual([
      { assets: { css: '/widget/passport.css', script: '/widget/passport.js' }, pollMs: 100 },
    ]);
    actor.send({ type: 'panel.shown' });
    expect(actor.getSnapshot().value).toBe('ready');
    expect(watching()).toBe(0);
  });

  test('loads the beta assets with the beta flag', async () => {
    const { settle, watched } = start([version], true);
    await settle();
    expect(watched[0]?.assets).toEqual({ css: '/widget/beta.css', script: '/widget/beta.js' });
  });

  test('loads the normal assets with the beta flag if there are no beta ones', async () => {
    const { settle, watched } = start([{ cssUrl: '/a.css', cdnUrl: '/a.js' }], true);
    await settle();
    expect(watched[0]?.assets).toEqual({ css: '/a.css', script: '/a.js' });
  });

  test.each([
    ['no version info', null],
    ['a failed request', new Error('boom')],
  ])('fails with %s, and a retry starts over', async (_, first) => {
    const { actor, settle } = start([first, version]);
    expect(await settle()).toBe('failed');
    expect(actor.getSnapshot().context.failure).toEqual({ code: 'version' });
    actor.send({ type: 'passport.retry' });
    expect(actor.getSnapshot().context).toMatchObject({ failure: null, attempt: 2 });
    expect(await settle()).toBe('loadingAssets');
  });

  test('fails with the URL of a script that does not load', async () => {
    const { actor, settle, watching } = start([version]);
    await settle();
    actor.send({ type: 'asset.failed', message: 'Failed to load script: /widget/passport.js' });
    expect(actor.getSnapshot().value).toBe('failed');
    expect(actor.getSnapshot().context.failure).toEqual({
      code: 'asset',
      message: 'Failed to load script: /widget/passport.js',
    });
    expect(watching()).toBe(0);
  });

  test('fails if the panel crashes later', async () => {
    const { actor, settle } = start([version]);
    await settle();
    actor.send({ type: 'panel.shown' });
    actor.send({ type: 'asset.failed', message: 'x is not a function' });
    expect(actor.getSnapshot().value).toBe('failed');
  });

  test('is late if its assets have not loaded after 15 seconds, and is shown once they load', async () => {
    const { actor, clock, settle, watching } = start([version]);
    await settle();
    clock.increment(14_999);
    expect(actor.getSnapshot().value).toBe('loadingAssets');
    clock.increment(1);
    expect(actor.getSnapshot().value).toBe('late');
    expect(actor.getSnapshot().context.failure).toEqual({ code: 'late' });
    expect(watching()).toBe(1);
    actor.send({ type: 'panel.shown' });
    expect(actor.getSnapshot().value).toBe('ready');
    expect(actor.getSnapshot().context.failure).toBeNull();
  });

  test('can be retried while it is late, and then fails with the URL of an asset that does not load', async () => {
    const { actor, clock, settle } = start([version, version]);
    await settle();
    clock.increment(15_000);
    actor.send({ type: 'passport.retry' });
    expect(actor.getSnapshot().context).toMatchObject({ failure: null, attempt: 2 });
    await settle();
    clock.increment(15_000);
    actor.send({ type: 'asset.failed', message: 'Failed to load script: /widget/passport.js' });
    expect(actor.getSnapshot().value).toBe('failed');
  });
});
