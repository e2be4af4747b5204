import { headersFor, urlFor } from '@orange-id/contract/call.snippets';
import { readServerTiming, serverTiming } from '@orange-id/contract/server.timing';
import { answerTimeoutMs, NoAnswerError } from '../../../api/no.answer';
import { bodyOf, routeOf } from './explorer.fields';
import { indentJson } from './json.text';
import type { CallAnswer, SentCall } from './explorer.types';

/** The part of a body that is shown. Showing more would slow down the page, and no endpoint sends as much. */
const shownBytes = 262_144;

/**
 * Sends a call to this origin as a customer's page does: with the key, without cookies or the session's token. Throws
 * `TypeError` for a network failure, `NoAnswerError` for a response that takes longer than 30 s.
 */
export async function sendCall(call: SentCall, signal: AbortSignal): Promise<CallAnswer> {
  const { endpoint, draft, apiKey } = call;
  const route = routeOf(endpoint);
  const body = bodyOf(endpoint, draft);
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new NoAnswerError({ isChange: route.method !== 'GET' })),
    answerTimeoutMs,
  );
  const startedAt = performance.now();
  try {
    const response = await fetch(urlFor(route, { baseUrl: window.location.origin, ...draft }), {
      method: route.method,
      headers: {
        'X-API-Key': apiKey,
        'Content-Type': 'application/json',
        ...Object.fromEntries(headersFor(route, { baseUrl: '', ...draft })),
      },
      ...(body === undefined ? {} : { body: draft.body }),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.any([signal, deadline.signal]),
    });
    const { text, isCut } = await readStart(response);
    const date = Date.parse(response.headers.get('date') ?? '');
    return {
      status: response.status,
      ms: performance.now() - startedAt,
      serverMs: readServerTiming(response.headers.get(serverTiming)),
      at: Number.isNaN(date) ? null : date,
      headers: [...response.headers].sort(([one], [other]) => (one < other ? -1 : 1)),
      isCut,
      ...formatted(text),
    };
  } finally {
    clearTimeout(timer);
  }
}

/** Reads only the part of the body that is shown. */
async function readStart(response: Response): Promise<{ text: string; isCut: boolean }> {
  const reader = response.body?.getReader();
  if (!reader) return { text: '', isCut: false };
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes <= shownBytes;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isCut: false };
    text += decoder.decode(value.subarray(0, shownBytes - bytes), { stream: true });
    bytes += value.length;
  }
  // Not awaited: the rest may never come.
  reader.cancel().catch(() => undefined);
  return { text, isCut: true };
}

function formatted(text: string): { body: string; isJson: boolean } {
  try {
    JSON.parse(text);
    return { body: indentJson(text), isJson: true };
  } catch {
    return { body: text, isJson: false };
  }
}
