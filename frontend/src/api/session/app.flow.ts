import type { AppFlowSignIn } from '@orange-id/contract/tenant.schema';
import { appFlow, appFlowNext } from '@orange-id/contract/tenant.schema';
import { http } from '../http';

const path = (flowId: string) => `/api/v1/auth/flows/${encodeURIComponent(flowId)}`;

/** `GET /api/v1/auth/flows/:id`: the app that this browser signs in to. */
export const getAppFlow = (flowId: string, signal: AbortSignal) =>
  http({ path: path(flowId), token: null, schema: appFlow, signal });

/** `POST /api/v1/auth/flows/:id`: hands the tokens over; returns the page to open next, which is on this origin. */
export async function handOverTokens(
  flowId: string,
  tokens: AppFlowSignIn,
  signal: AbortSignal,
): Promise<string> {
  const request = { path: path(flowId), method: 'POST', token: null, body: tokens, signal } as const;
  const { next } = await http({ ...request, schema: appFlowNext });
  const { origin, pathname, search } = new URL(next, window.location.origin);
  if (origin !== window.location.origin) throw new Error('The sign-in would continue on another site.');
  return pathname + search;
}
