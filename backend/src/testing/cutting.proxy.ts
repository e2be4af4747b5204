import type { Socket } from 'node:net';
import type { DatabaseAddress } from '../config/database.address.js';
import { DatabaseRelay, startRelay } from './database.relay.js';

/** When to cut: when the server has confirmed the commit of a batch, or as soon as the batch was sent. */
export type CutMoment = 'committed' | 'sent';

/** A batch whose result the portal never got, and the server's result when it was sent again. */
export interface CutBatch {
  id: string;
  moment: CutMoment;
  /** `null` until it is sent again: `present` if its rows were already stored, `stored` if they were not. */
  again: 'present' | 'stored' | null;
}

/** A proxy to the database that can break between a batch's commit and its result. */
export interface CuttingProxy extends DatabaseRelay {
  /** Every batch cut so far, in order. */
  cuts: CutBatch[];
  /** Breaks the connection of the next batch. */
  cutNext(moment: CutMoment): void;
}

/** A statement in transit: its batch, if it stores one, and when to cut it. */
interface Question {
  batchId: string | null;
  cut: CutMoment | null;
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

export async function startCuttingProxy(address: DatabaseAddress): Promise<CuttingProxy> {
  const cuts: CutBatch[] = [];
  let armed: CutMoment | null = null;

  const link = (client: Socket, upstream: Socket) => {
    /** Sent without a result yet; statements may follow each other without waiting. */
    const questions: Question[] = [];
    const asked = new Messages(true);
    const answered = new Messages(false);
    let [question, answer] = ['', ''];

    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk);
      for (const message of asked.of(chunk)) {
        question += message.toString('latin1');
        if (message[0] !== type.sync && message[0] !== type.simpleQuery) continue;
        const batchId = ingestedBatch(question);
        question = '';
        const cut = batchId === null ? null : armed;
        if (cut !== null) armed = null;
        questions.push({ batchId, cut });
        if (cut !== 'sent') continue;
        cuts.push({ id: batchId as string, moment: cut, again: null });
        // Discards the server's results.
        client.destroy();
        upstream.end();
        return;
      }
    });
    upstream.on('data', (chunk: Buffer) => {
      for (const message of answered.of(chunk)) {
        const { batchId, cut } = questions[0] ?? { batchId: null, cut: null };
        if (cut === null) client.write(message);
        answer += message.toString('latin1');
        if (message[0] !== type.readyForQuery) continue;
        const isStored = answer.includes('SELECT 1\0');
        answer = '';
        questions.shift();
        if (cut === null) {
          const earlier = cuts.find((each) => each.id === batchId && each.again === null);
          if (earlier) earlier.again = isStored ? 'stored' : 'present';
        } else if (cut === 'committed') {
          if (!isStored) throw new Error(`batch ${batchId} was not stored`);
          cuts.push({ id: batchId as string, moment: cut, again: null });
          client.destroy();
          upstream.destroy();
          return;
        }
      }
    });
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.end());
  };

  const relay = await startRelay(address, link);
  return { ...relay, cuts, cutNext: (moment) => void (armed = moment) };
}

/** The id of the batch that these messages store; `null` for other messages. */
function ingestedBatch(messages: string): string | null {
  // The statement's name is in the message that prepares it, and last in the one that binds its values.
  const bound = messages.lastIndexOf('usage.ingest\0');
  return bound < 0 ? null : (uuid.exec(messages.slice(bound))?.[0] ?? null);
}

const type = { sync: 0x53, simpleQuery: 0x51, readyForQuery: 0x5a };

/** Splits a stream into the protocol's messages; the first that a client sends has no type before its length. */
class Messages {
  private rest = Buffer.alloc(0);

  constructor(private isFirstBare: boolean) {}

  *of(chunk: Buffer): Generator<Buffer> {
    this.rest = Buffer.concat([this.rest, chunk]);
    for (;;) {
      const typeBytes = this.isFirstBare ? 0 : 1;
      if (this.rest.length < typeBytes + 4) return;
      const length = typeBytes + this.rest.readInt32BE(typeBytes);
      if (this.rest.length < length) return;
      const message = this.rest.subarray(0, length);
      this.rest = this.rest.subarray(length);
      this.isFirstBare = false;
      yield message;
    }
  }
}
