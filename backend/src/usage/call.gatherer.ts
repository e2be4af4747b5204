import { limits } from '@orange-id/contract/limits';
import { otherOrigins } from '@orange-id/contract/origin.rule';
import type { MeteredCall } from './metered.call.js';

interface Gathered {
  keyId: string;
  /** `null` while none was gathered since the last turn. */
  call: MeteredCall | null;
}

/**
 * Gathers refused calls, so that refusing costs next to nothing and fills no disk: at each `take` (once a second) one
 * row stands for those of a key, route, outcome and origin. The origins of a key's blocked calls are told apart up to
 * `limits.blockedOriginsPerKey`; anybody can send others, so the rest count as one.
 */
export class CallGatherer {
  private readonly gathered = new Map<string, Gathered>();
  private readonly originsOf = new Map<string, number>();

  /** Counts a call refused by rate or quota. */
  add(call: MeteredCall): void {
    const name = nameOf(call, '');
    const entry = this.gathered.get(name);
    if (entry) count(entry, call);
    else this.gathered.set(name, { keyId: call.keyId, call });
  }

  /**
   * The origin that a blocked call is stored with. `isFirst` says that it is to be stored as a row of its own, at once:
   * an owner who tries a page out sees its call like any other. Those that follow within the second are counted here.
   */
  addBlocked(call: MeteredCall): { isFirst: boolean; origin: string | null } {
    const known = this.gathered.get(nameOf(call, call.origin));
    if (known) {
      count(known, call);
      return { isFirst: false, origin: call.origin };
    }
    const origins = this.originsOf.get(call.keyId) ?? 0;
    if (origins < limits.blockedOriginsPerKey) {
      this.originsOf.set(call.keyId, origins + 1);
      return this.begin(call);
    }
    const other = { ...call, origin: otherOrigins };
    const entry = this.gathered.get(nameOf(other, otherOrigins));
    if (!entry) return this.begin(other);
    count(entry, other);
    return { isFirst: false, origin: otherOrigins };
  }

  /** What was gathered since the last `take`. A name that gathered nothing since then is forgotten. */
  take(): MeteredCall[] {
    const calls: MeteredCall[] = [];
    this.originsOf.clear();
    for (const [name, entry] of this.gathered) {
      if (entry.call === null || entry.call.outcome !== 'blocked') this.gathered.delete(name);
      else if (entry.call.origin !== otherOrigins) {
        this.originsOf.set(entry.keyId, (this.originsOf.get(entry.keyId) ?? 0) + 1);
      }
      if (entry.call !== null) calls.push(entry.call);
      entry.call = null;
    }
    return calls;
  }

  private begin(call: MeteredCall): { isFirst: boolean; origin: string | null } {
    this.gathered.set(nameOf(call, call.origin), { keyId: call.keyId, call: null });
    return { isFirst: true, origin: call.origin };
  }
}

function count(entry: Gathered, call: MeteredCall): void {
  if (entry.call === null) entry.call = call;
  else entry.call.calls += call.calls;
}

const nameOf = ({ keyId, method, endpoint, outcome }: MeteredCall, origin: string | null): string =>
  `${keyId} ${method} ${endpoint} ${outcome} ${origin}`;
