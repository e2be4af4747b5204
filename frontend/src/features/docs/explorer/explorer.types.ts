import type { MeteredRouteId } from '@orange-id/contract/metered.paths';
import type { CallKey } from '../../../api/keys/call.keys';
import type { CallDraft, CallProblems } from './explorer.fields';

/** A key that the signed-in user can choose by name. */
export type OfferedKey = Pick<CallKey, 'id' | 'usageId' | 'key'>;

/** One call as it was sent. The key is kept only in memory. */
export interface SentCall {
  endpoint: MeteredRouteId;
  draft: CallDraft;
  apiKey: string;
  /** The id in Usage of a saved key; `null` for a project’s and for one that was typed. */
  keyId: string | null;
}

/** A response, whatever its status. */
export interface CallAnswer {
  status: number;
  /** Time until the shown part of the body had arrived, in ms. */
  ms: number;
  /** How long the call took at the server, in ms; `null` unless the call has a row in Usage. */
  serverMs: number | null;
  /** When the server answered, by its `Date` header, in ms since the epoch; `null` without one. */
  at: number | null;
  headers: readonly (readonly [name: string, value: string])[];
  /** Formatted if it is JSON. */
  body: string;
  isJson: boolean;
  /** Whether the body is longer than the part that is shown. */
  isCut: boolean;
}

export interface ExplorerContext {
  endpoint: MeteredRouteId;
  tab: 'configure' | 'code';
  /** What was filled in, by endpoint; kept when another endpoint is chosen. */
  drafts: Partial<Record<MeteredRouteId, CallDraft>>;
  problems: CallProblems;
  offered: readonly OfferedKey[];
  /** The id of the chosen key; `null` for the typed one. */
  chosen: string | null;
  typed: string;
  /** The last call that was sent, which the answer or the failure belongs to. */
  sent: SentCall | null;
  answer: CallAnswer | null;
  failure: unknown;
}

export type ExplorerEvent =
  | { type: 'endpoint.choose'; endpoint: MeteredRouteId }
  | { type: 'tab.choose'; tab: ExplorerContext['tab'] }
  | { type: 'keys.offer'; keys: readonly OfferedKey[] }
  | { type: 'key.choose'; id: string | null }
  | { type: 'key.type'; text: string }
  | { type: 'parameter.type'; name: string; text: string }
  | { type: 'body.type'; text: string }
  | { type: 'call.send' }
  | { type: 'call.cancel' };

export type ExplorerNotice =
  | { type: 'call.refused' }
  | { type: 'call.answered'; answer: CallAnswer }
  | { type: 'call.failed'; error: unknown };
