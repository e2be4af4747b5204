import { limits } from '@orange-id/contract/limits';
import { otherOrigins } from '@orange-id/contract/origin.rule';
import type { MeteredCall } from './metered.call.js';

interface Gathered {
  keyId: string;
  userId: string;
  /** `null` while none was gathered since the last turn. */
  call: MeteredCall | null;
}

/**
 * Gathers refused calls, so that refusing costs next to nothing and fills no disk: at each `take` (once a second) one
 * row stands for those of a key, route, outcome and origin. The origins of calls that were blocked or came with a
 * revoked key are told apart up to `limits.refusedOriginsPerKey` per key; anybody can send others, so the rest count as
 * one. An owner with many keys has at most `limits.refusedRowsPerOwner` rows a second; what is over goes on gathering
 * until its turn.
 */
export class CallGatherer {
  private readonly gathered = new Map<string, Gathered>();
  private readonly originsOf = new Map<string, number>();
  /** Rows of this second by owner. */
  private readonly rowsOf = new Map<string, number>();

  /** Counts a call refused by rate or quota. */
  add(call: MeteredCall): void {
    const name = nameOf(call, '');
    const entry = this.gathered.get(name);
    if (entry) count(entry, call);
    else this.gathered.set(name, { keyId: call.keyId, userId: call.userId, call });
  }

  /**
   * The origin to store a call with that was blocked or came with a revoked key. `isFirst` says that it is to be stored
   * as a row of its own, at once: an owner who tries a page out sees the call like any other. Those that follow within
   * the second are counted here.
   */
  addByOrigin(call: MeteredCall): { isFirst: boolean; origin: string | null } {
    const known = this.gathered.get(nameOf(call, call.origin));
    if (known) {
      count(known, call);
      return { isFirst: false, origin: call.origin };
    }
    const origins = this.originsOf.get(call.keyId) ?? 0;
    if (origins < limits.refusedOriginsPerKey) {
      this.originsOf.set(call.keyId, origins + 1);
      return this.begin(call);
    }
    const other = { ...call, origin: otherOrigins };
    const entry = this.gathered.get(nameOf(other, otherOrigins));
    if (!entry) return this.begin(other);
    count(entry, other);
    return { isFirst: false, origin: otherOrigins };
  }

  /**
   * What was gathered, of each owner what has room; `all` at the end of the process. A name that gathered nothing since
   * the last `take` is forgotten.
   */
  take(all = false): MeteredCall[] {
    const calls: MeteredCall[] = [];
    this.originsOf.clear();
    for (const [name, entry] of [...this.gathered]) {
      const { call, keyId, userId } = entry;
      const isTaken = call !== null && (all || this.hasRoom(userId));
      if (call === null || (isTaken && !isByOrigin(call))) this.gathered.delete(name);
      else if (isByOrigin(call) && call.origin !== otherOrigins) {
        this.originsOf.set(keyId, (this.originsOf.get(keyId) ?? 0) + 1);
      }
      if (!isTaken) continue;
      calls.push(call);
      entry.call = null;
      // Behind those that still wait for their turn.
      if (this.gathered.delete(name)) this.gathered.set(name, entry);
    }
    this.rowsOf.clear();
    return calls;
  }

  private begin(call: MeteredCall): { isFirst: boolean; origin: string | null } {
    // The other half is for those that wait, which those that come anew would keep from their turn.
    const isFirst = this.hasRoom(call.userId, limits.refusedRowsPerOwner / 2);
    const { keyId, userId, origin } = call;
    this.gathered.set(nameOf(call, origin), { keyId, userId, call: isFirst ? null : call });
    return { isFirst, origin };
  }

  /** Whether the owner may have one more row this second, which is counted. */
  private hasRoom(userId: string, most: number = limits.refusedRowsPerOwner): boolean {
    const rows = this.rowsOf.get(userId) ?? 0;
    if (rows >= most) return false;
    this.rowsOf.set(userId, rows + 1);
    return true;
  }
}

const isByOrigin = ({ outcome }: MeteredCall): boolean => outcome === 'blocked' || outcome === 'revoked';

function count(entry: Gathered, call: MeteredCall): void {
  if (entry.call === null) entry.call = call;
  else entry.call.calls += call.calls;
}

const nameOf = ({ keyId, method, endpoint, outcome }: MeteredCall, origin: string | null): string =>
  `${keyId} ${method} ${endpoint} ${outcome} ${origin}`;
