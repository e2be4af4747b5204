import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import { setLru } from '../http/lru.map.js';

const entriesMax = 2000;

interface Entry {
  payload: AdapterPayload;
  untilMs: number;
}

/** The storage of the built-in provider: in this process, with expiry, dropping the oldest entries first. */
export function boundedAdapters(): AdapterFactory {
  const entries = new Map<string, Entry>();

  const find = (isIt: (key: string, entry: Entry) => boolean): AdapterPayload | undefined => {
    for (const [key, entry] of entries) {
      if (entry.untilMs <= Date.now()) entries.delete(key);
      else if (isIt(key, entry)) return entry.payload;
    }
    return undefined;
  };

  return (model): Adapter => {
    const keyOf = (id: string) => `${model}:${id}`;
    const isModel = (key: string) => key.startsWith(`${model}:`);
    return {
      async upsert(id, payload, expiresIn) {
        const untilMs = expiresIn ? Date.now() + expiresIn * 1000 : Infinity;
        setLru(entries, keyOf(id), { payload, untilMs }, entriesMax);
      },
      async find(id) {
        const entry = entries.get(keyOf(id));
        return entry && entry.untilMs > Date.now() ? entry.payload : undefined;
      },
      async findByUid(uid) {
        return find((key, { payload }) => isModel(key) && payload.uid === uid);
      },
      async findByUserCode(userCode) {
        return find((key, { payload }) => isModel(key) && payload.userCode === userCode);
      },
      async consume(id) {
        const entry = entries.get(keyOf(id));
        if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        entries.delete(keyOf(id));
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of entries) {
          if (payload.grantId === grantId) entries.delete(key);
        }
      },
    };
  };
}
