import type { ProjectRefusals } from '@orange-id/contract/project.users.schema';

/** What an origin tried in the last 24 hours, and how often. */
export interface BlockedOrigin {
  origin: string;
  calls: number;
  signIns: number;
  callbacks: number;
}

/** Blocked calls and refused sign-ins by origin, in the given order. */
export function blockedOrigins(
  calls: readonly { origin: string | null; calls: number }[],
  refusals: ProjectRefusals,
): BlockedOrigin[] {
  const byOrigin = new Map<string, BlockedOrigin>();
  const of = (origin: string) => {
    const known = byOrigin.get(origin) ?? { origin, calls: 0, signIns: 0, callbacks: 0 };
    byOrigin.set(origin, known);
    return known;
  };
  for (const each of calls) if (each.origin !== null) of(each.origin).calls += each.calls;
  for (const each of refusals)
    of(each.origin)[each.kind === 'signIn' ? 'signIns' : 'callbacks'] += each.calls;
  return [...byOrigin.values()];
}
