import type { Socket } from 'node:net';
import type { DatabaseAddress } from '../database/embedded.postgres.js';
import { DatabaseRelay, startRelay } from './database.relay.js';

/** When to cut: when the server's word that a batch is committed has come, or as soon as the batch was sent. */
export type CutMoment = 'committed' | 'sent';

/** A batch whose answer the portal never got, and what the server said when it was sent again. */
export interface CutBatch {
  id: string;
  moment: CutMoment;
  /** `null` until it was sent again: `present` when its rows were there already, `stored` when they came only then. */
  again: 'present' | 'stored' | null;
}

/** A way to the database that can break between a batch's commit and the answer to it. */
export interface CuttingProxy extends DatabaseRelay {
  /** Every batch cut so far, in order. */
  cuts: CutBatch[];
  /** Breaks the connection of the next batch. */
  cutNext(moment: CutMoment): void;
}

/** The server's last message of an answer: it waits for the next statement, outside any transaction. */
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** The last message of a statement. */
const sync = Buffer.from([0x53, 0, 0, 0, 4]);
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

export async function startCuttingProxy(address: DatabaseAddress): Promise<CuttingProxy> {
  const cuts: CutBatch[] = [];
  let armed: CutMoment | null = null;

  const link = (client: Socket, upstream: Socket) => {
    let question = Buffer.alloc(0);
    let answer = Buffer.alloc(0);
    /** The batch whose answer comes next on this connection. */
    let batchId: string | null = null;
    let cut: CutMoment | null = null;

    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk);
      question = Buffer.concat([question, chunk]);
      if (!endsWith(question, sync)) return;
      batchId = ingestedBatch(question.toString('latin1'));
      question = Buffer.alloc(0);
      answer = Buffer.alloc(0);
      if (batchId === null || armed === null) return;
      [cut, armed] = [armed, null];
      if (cut === 'committed') return;
      cuts.push({ id: batchId, moment: cut, again: null });
      // What the server answers goes nowhere.
      batchId = null;
      client.destroy();
      upstream.end();
    });
    upstream.on('data', (chunk: Buffer) => {
      if (cut === null && batchId === null) return void client.write(chunk);
      answer = Buffer.concat([answer, chunk]);
      if (cut === null) client.write(chunk);
      if (!endsWith(answer, readyForQuery)) return;
      const isStored = answer.includes('SELECT 1\0', 0, 'latin1');
      if (cut === null) {
        const earlier = cuts.find((each) => each.id === batchId && each.again === null);
        if (earlier) earlier.again = isStored ? 'stored' : 'present';
        batchId = null;
      } else if (batchId !== null) {
        if (!isStored) throw new Error(`batch ${batchId} was not stored: ${answer.toString('latin1')}`);
        cuts.push({ id: batchId, moment: 'committed', again: null });
        batchId = null;
        client.destroy();
        upstream.destroy();
      }
    });
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.end());
  };

  const relay = await startRelay(address, link);
  return { ...relay, cuts, cutNext: (moment) => void (armed = moment) };
}

/** The id of the batch that these messages store; `null` when they do something else. */
function ingestedBatch(messages: string): string | null {
  // The statement's name stands in the message that prepares it, and last in the one that binds its values.
  const bound = messages.lastIndexOf('usage.ingest\0');
  return bound < 0 ? null : (uuid.exec(messages.slice(bound))?.[0] ?? null);
}

const endsWith = (bytes: Buffer, end: Buffer): boolean =>
  bytes.length >= end.length && bytes.subarray(bytes.length - end.length).equals(end);
