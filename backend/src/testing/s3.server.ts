import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bucket at the wire: its objects, and the responses that override its normal behaviour. */
export interface S3Server {
  url: string;
  objects: Map<string, { type: string | undefined; bytes: Buffer }>;
  /** Every request so far, `METHOD /path`. */
  asked: string[];
  /** If null, it processes every correctly signed request. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  stop(): Promise<void>;
}

export const s3Credentials = {
  bucket: 'portal-pictures',
  region: 'eu-test-1',
  keyId: 'AKIDTEST',
  secret: 's3-canary-secret',
};

/** Returns 403 for every request with a wrong signature (AWS Signature Version 4, recomputed here). */
export async function startS3Server(): Promise<S3Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      s3.asked.push(`${request.method} ${request.url}`);
      if (s3.answer) return s3.answer(request, response);
      serve(request, Buffer.concat(chunks), response);
    });
  });
  const serve = (request: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const problem = signatureProblem(request, body);
    if (problem) return void response.writeHead(403).end(`<Error><Code>${problem}</Code></Error>`);
    const key = request.url as string;
    if (request.method === 'PUT') {
      s3.objects.set(key, { type: request.headers['content-type'], bytes: body });
      return void response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      s3.objects.delete(key);
      return void response.writeHead(204).end();
    }
    const object = s3.objects.get(key);
    if (!object) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    response.writeHead(200, { 'content-type': object.type ?? '' }).end(object.bytes);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const s3: S3Server = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: new Map(),
    asked: [],
    answer: null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return s3;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

function signatureProblem(request: IncomingMessage, body: Buffer): string | null {
  const header = request.headers.authorization ?? '';
  const [, keyId, day, region, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? [];
  if (!keyId || !day || !region || !signed || !signature) return 'MissingSecurityHeader';
  if (keyId !== s3Credentials.keyId) return 'InvalidAccessKeyId';
  const date = String(request.headers['x-amz-date']);
  const names = signed.split(';');
  if (!names.includes('host') || !names.includes('x-amz-date')) return 'AccessDenied';
  if (request.headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const canonical = [
    request.method,
    request.url,
    '',
    ...names.map((name) => `${name}:${String(request.headers[name])}`),
    '',
    signed,
    sha256(body),
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [region, 's3', 'aws4_request'].reduce(
    (last, part) => hmac(last, part),
    hmac(`AWS4${s3Credentials.secret}`, day),
  );
  const wanted = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n'));
  return region === s3Credentials.region && timingSafeEqual(wanted, Buffer.from(signature, 'hex'))
    ? null
    : 'SignatureDoesNotMatch';
}
