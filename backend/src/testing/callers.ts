import { expect } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import type { SecretsService } from '../secrets/secrets.service.js';
import { SeededKey, seedKeyInto } from './seed.key.js';

/** The calls that were sent and their responses. Each call has a unique origin, which its row must contain. */
export interface Ledger {
  sent: Set<string>;
  answered: Set<string>;
  refusals: { status: number; code: string; retryAfter: string | null }[];
  broken: number;
}

export const newLedger = (): Ledger => ({ sent: new Set(), answered: new Set(), refusals: [], broken: 0 });

const ownersCount = 16;

/** Saved keys, which accept any origin: one for each of 16 owners, and a second one for the first owner. */
export async function seedCallers(client: pg.Client, secrets: SecretsService): Promise<SeededKey[]> {
  const db = { query: async (text: string, values: unknown[]) => (await client.query(text, values)).rows };
  const add = (userId?: string) =>
    seedKeyInto(db as Pick<DataSource, 'query'>, secrets, {
      isSaved: true,
      ...(userId === undefined ? {} : { userId }),
    });
  const keys: SeededKey[] = [];
  for (let owner = 0; owner < ownersCount; owner++) keys.push(await add());
  return [...keys, await add(keys[0]?.userId)];
}

/**
 * Concurrent callers, each sending one call after another until stopped, with a pause after one that failed. `done`
 * resolves after the last response.
 */
export function startCallers(count: number, url: () => string, keys: SeededKey[], ledger: Ledger) {
  let isStopping = false;
  const caller = async (place: number) => {
    const { key } = keys[place % keys.length] as SeededKey;
    for (let turn = 0; !isStopping; turn++) {
      const origin = `https://c${place}-${turn}.example.com`;
      ledger.sent.add(origin);
      try {
        const answer = await fetch(`${url()}/api/v1/key`, { headers: { 'x-api-key': key, origin } });
        const body = (await answer.json()) as { code?: string };
        if (answer.status === 200) ledger.answered.add(origin);
        else {
          const retryAfter = answer.headers.get('retry-after');
          ledger.refusals.push({ status: answer.status, code: String(body.code), retryAfter });
          await delay(50);
        }
      } catch {
        // The process is gone: the caller gets no response, and none is expected.
        ledger.broken++;
        await delay(100);
      }
    }
  };
  const done = Promise.all(Array.from({ length: count }, (_, place) => caller(place)));
  return {
    stop: async () => {
      isStopping = true;
      await done;
    },
    stopSending: () => void (isStopping = true),
    done,
  };
}

/**
 * Checks that answered ⊆ stored ⊆ sent, that no call is stored twice, and that each owner's rows are numbered from 1
 * without gaps, in calling order. May run during calls. Resolves to the number of stored rows.
 */
export async function expectWhole(client: pg.Client, ledger: Ledger): Promise<number> {
  const answered = [...ledger.answered];
  // One statement, so that rows and heads are from one moment.
  const { rows: owners } = await client.query<{ seq: string | null; seqs: string[]; origins: string[] }>(
    `select h.seq, coalesce(u.seqs, '{}') as seqs, coalesce(u.origins, '{}') as origins
     from usage_heads h full join (
       select user_id, array_agg(seq order by seq) as seqs, array_agg(origin order by seq) as origins
       from api_usage group by user_id
     ) u using (user_id)`,
  );
  const stored = owners.flatMap(({ origins }) => origins);
  const distinct = new Set(stored);
  expect(distinct.size).toBe(stored.length);
  expect(answered.filter((origin) => !distinct.has(origin))).toEqual([]);
  expect(stored.filter((origin) => !ledger.sent.has(origin))).toEqual([]);

  for (const { seq, seqs, origins } of owners) {
    expect(Number(seq)).toBe(origins.length);
    expect(seqs.findIndex((each, place) => Number(each) !== place + 1)).toBe(-1);
    const lastTurn = new Map<string, number>();
    const early = origins.filter((origin) => {
      const [, caller, turn] = /^https:\/\/(.+)-(\d+)\.example\.com$/.exec(origin) as unknown as string[];
      const isEarly = Number(turn) <= (lastTurn.get(caller as string) ?? -1);
      lastTurn.set(caller as string, Number(turn));
      return isEarly;
    });
    expect(early).toEqual([]);
  }
  return stored.length;
}
