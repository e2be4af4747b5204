import sharp from 'sharp';
import { type Answer, takeRequestId } from './test.app.js';

/** A valid image of that size, different for each `seed`. */
export const pictureOf = (width: number, height: number, seed = 1) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: { r: (seed * 53) % 256, g: (seed * 97) % 256, b: (seed * 193) % 256 },
    },
  });

/** One part of a multipart form; without a `filename` it is text. */
export interface Part {
  name: string;
  filename?: string;
  type?: string;
  bytes: Buffer | string;
}

const boundary = 'portal-test-boundary';

/** A form as raw bytes, so that names may contain what a regular client would not send. */
export function formOf(parts: Part[], { isWhole = true } = {}): Buffer {
  const pieces: (Buffer | string)[] = [];
  for (const { name, filename, type, bytes } of parts) {
    pieces.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`);
    if (filename !== undefined) pieces.push(`; filename="${filename}"`);
    if (type !== undefined) pieces.push(`\r\nContent-Type: ${type}`);
    pieces.push('\r\n\r\n', bytes, '\r\n');
  }
  if (isWhole) pieces.push(`--${boundary}--\r\n`);
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** Sends a form to the upload route. */
export async function sendForm(
  { url }: { url: string },
  token: string | undefined,
  form: Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/user/profile/upload`, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: new Uint8Array(form),
  });
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  takeRequestId(answer);
  return answer;
}

/** Uploads one file as a browser does. */
export const upload = (
  portal: { url: string },
  token: string | undefined,
  bytes: Buffer,
  { name = 'file', filename = 'me.png', type = 'image/png' } = {},
): Promise<Answer> => sendForm(portal, token, formOf([{ name, filename, type, bytes }]));
