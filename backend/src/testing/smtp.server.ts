import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { until } from './until.js';

/** An email as received, its parts decoded. */
export interface ReceivedMail {
  to: string[];
  /** By lower-case name; the last one if a name is repeated. */
  headers: Record<string, string>;
  text: string;
  html: string;
  /** The media types of its parts, each with its parents: `multipart/alternative > text/plain`. */
  parts: string[];
  raw: string;
}

export interface SmtpServer {
  url: string;
  port: number;
  mails: ReceivedMail[];
  /** Waits for the first email to this address whose subject contains these words. */
  mailTo(address: string, subject?: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/**
 * A real SMTP server on this machine. `refuse` may throw for a recipient (the client gets its `responseCode`); `onMail`
 * is awaited before the email is acknowledged.
 */
export async function startSmtpServer({
  port = 0,
  refuse = () => undefined,
  onMail = () => undefined,
}: {
  port?: number;
  refuse?: (recipient: string) => void;
  onMail?: (mail: ReceivedMail) => void | Promise<void>;
} = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => {
      try {
        refuse(address);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const mail = readMail(Buffer.concat(chunks).toString('latin1'), session.envelope.rcptTo);
        mails.push(mail);
        Promise.resolve(onMail(mail)).then(() => done(), done);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const at = (server.server.address() as AddressInfo).port;
  return {
    url: `smtp://127.0.0.1:${at}`,
    port: at,
    mails,
    mailTo: (address, subject = '') =>
      until(`a mail to ${address} arrives`, () =>
        mails.find(({ to, headers }) => to.includes(address) && headers['subject']?.includes(subject)),
      ),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The link that an email asks to open. */
export function linkIn({ text }: { text: string }): string {
  const [link] = /https?:\/\/\S+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`there is no link in: ${text}`);
  return link;
}

export const tokenIn = (mail: { text: string }): string =>
  new URL(linkIn(mail)).searchParams.get('token') as string;

function readMail(raw: string, recipients: { address: string }[]): ReceivedMail {
  const { headers } = splitPart(raw);
  const parts = leavesOf(raw);
  const partOf = (type: string): string => {
    const part = parts.find(({ path }) => path.endsWith(type));
    return part ? decode(part) : '';
  };
  return {
    to: recipients.map(({ address }) => address),
    headers: { ...headers, subject: decodeEncodedWords(headers['subject'] ?? '') },
    text: partOf('text/plain'),
    html: partOf('text/html'),
    parts: parts.map(({ path }) => path),
    raw,
  };
}

interface Leaf {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Every part without nested parts. */
function leavesOf(raw: string, above = ''): Leaf[] {
  const { headers, body } = splitPart(raw);
  const type = headers['content-type'] ?? '';
  const path = above + type.split(';')[0];
  const [, boundary] = /boundary="?([^";]+)"?/.exec(type) ?? [];
  if (boundary === undefined) return [{ path, headers, body }];
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => leavesOf(part.replace(/^\r\n/, ''), `${path} > `));
}

function splitPart(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { headers, body: raw.slice(end + 4) };
}

function decode({ headers, body }: { headers: Record<string, string>; body: string }): string {
  const encoding = headers['content-transfer-encoding'] ?? '7bit';
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? unquote(body.replace(/=\r\n/g, '')) : body, 'latin1');
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}

const unquote = (text: string): string =>
  text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** RFC 2047. */
const decodeEncodedWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, words: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(words, 'base64').toString('utf8')
        : Buffer.from(unquote(words.replaceAll('_', ' ')), 'latin1').toString('utf8'),
    );
