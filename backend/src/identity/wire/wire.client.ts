import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { Fields, Kind, WireCall } from './wire.fixtures.js';

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the wire carried
  body: any;
}

/** Sends a recorded request exactly, header names and URL unchanged, with `values` in its angle brackets. */
export function sendWire(
  baseUrl: string,
  call: WireCall,
  values: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<WireAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const body = call.body === undefined ? undefined : JSON.stringify(filled(call.body, values));
  const headers = {
    ...(filled(call.headers, values) as Record<string, string>),
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...more,
  };
  return new Promise((resolve, reject) => {
    const path = filled(call.path, values) as string;
    const sent = request({ hostname, port, method: call.method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = /\bjson\b/.test(response.headers['content-type'] ?? '');
        resolve({
          status: response.statusCode as number,
          headers: response.headers,
          body: isJson ? JSON.parse(text) : text,
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function filled(value: unknown, values: Record<string, string>): unknown {
  if (typeof value === 'string') {
    return value.replace(/<(\w+)>/g, (_, name: string) => {
      const given = values[name];
      if (given === undefined) throw new Error(`the call needs <${name}>`);
      return given;
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, values)]));
}

/** The differences between a response and the fixture's fields and types; empty if there are none. */
export function deviations(fields: Fields, answer: unknown, at = 'answer'): string[] {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return [`${at} is no object`];
  const seen = answer as Record<string, unknown>;
  const names = new Set([...Object.keys(fields), ...Object.keys(seen)]);
  return [...names].flatMap((name) => {
    const path = `${at}.${name}`;
    const wanted = fields[name];
    if (wanted === undefined) return [`${path} is not on the wire`];
    if (!(name in seen)) return [`${path} is missing`];
    if (Array.isArray(wanted) && wanted.length === 0)
      return Array.isArray(seen[name]) ? [] : [`${path} is no list`];
    if (typeof wanted === 'object' && !Array.isArray(wanted))
      return deviations(wanted as Fields, seen[name], path);
    const kinds = [wanted].flat() as Kind[];
    const kind = seen[name] === null ? 'null' : typeof seen[name];
    return kinds.includes(kind as Kind) ? [] : [`${path} is ${kind}, not ${kinds.join(' or ')}`];
  });
}
