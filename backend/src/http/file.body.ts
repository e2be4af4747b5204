import multipart from '@fastify/multipart';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PortalError } from './portal.error.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    readsFiles?: boolean;
  }
}

/** Marks a handler that reads a file from a multipart form (RFC 7578) by `readFile`. Elsewhere these are answered 415. */
export const ReadsFiles = (): MethodDecorator => RouteConfig({ readsFiles: true });

export const readsFiles = (request: FastifyRequest): boolean =>
  request.routeOptions.config.readsFiles === true;

/** What a multipart form may have around its one file. */
const formMaxBytes = 16_384;

/** One file as it was sent: `type` and `name` are what its sender says, which may be anything. */
export interface SentFile {
  bytes: Buffer;
  type: string;
  name: string;
}

/** Lets handlers marked by `ReadsFiles` read multipart forms; nothing of a body is read before the handler asks. */
export async function readMultipartForms(fastify: FastifyInstance): Promise<void> {
  await fastify.register(multipart);
}

/**
 * Reads a form that holds one file, called `field`, and nothing else; never more than `maxBytes` and a little are kept
 * or waited for. Throws `request.typeUnsupported`, `request.invalid`, and what `tooLarge` makes for a file that does
 * not have fewer bytes than `maxBytes`.
 */
export async function readFile(
  request: FastifyRequest,
  { field, maxBytes, tooLarge }: { field: string; maxBytes: number; tooLarge: () => PortalError },
): Promise<SentFile> {
  if (!request.isMultipart()) {
    throw new PortalError('request.typeUnsupported', {
      message: `Send the file as multipart/form-data, in a field called ${field}`,
    });
  }
  if (Number(request.headers['content-length']) > maxBytes + formMaxBytes) throw tooLarge();
  const overflow = watchSize(request, maxBytes + formMaxBytes, tooLarge);
  try {
    return await Promise.race([readParts(request, { field, maxBytes, tooLarge }), overflow.happened]);
  } catch (error) {
    // What is still to come is thrown away, so that the sender gets to read the answer.
    request.raw.unpipe();
    request.raw.resume();
    throw error instanceof PortalError ? error : notAForm(error);
  } finally {
    overflow.stop();
  }
}

async function readParts(
  request: FastifyRequest,
  { field, maxBytes, tooLarge }: { field: string; maxBytes: number; tooLarge: () => PortalError },
): Promise<SentFile> {
  let sent: SentFile | null = null;
  const parts = request.parts({
    // One more of each than is taken, so that it can be named.
    limits: { fileSize: maxBytes - 1, files: 2, fields: 1, parts: 3, fieldNameSize: 100, fieldSize: 100 },
    throwFileSizeLimit: false,
  } as Parameters<FastifyRequest['parts']>[0]);
  for await (const part of parts) {
    if (part.fieldname !== field) {
      throw invalid(
        `The form has a field called ${shown(part.fieldname)}. Send the file in a field called ${field}, and nothing else`,
      );
    }
    if (part.type !== 'file') {
      throw invalid(`The field ${field} is text. Send a file in it, with a file name and a type`);
    }
    if (sent !== null) throw invalid(`The form has ${field} more than once. Send one file`);
    const bytes = await part.toBuffer();
    if (part.file.truncated) throw tooLarge();
    sent = { bytes, type: part.mimetype, name: part.filename };
  }
  if (sent === null) throw invalid(`The form has no file. Send one, in a field called ${field}`);
  return sent;
}

/** What a parser skips (text before the first part, the rest of a file too large) is no part; it counts all the same. */
function watchSize(
  request: FastifyRequest,
  maxBytes: number,
  tooLarge: () => PortalError,
): { happened: Promise<never>; stop: () => void } {
  let arrived = 0;
  let count: (chunk: Buffer) => void;
  const happened = new Promise<never>((_, reject) => {
    count = ({ byteLength }) => {
      arrived += byteLength;
      if (arrived > maxBytes) reject(tooLarge());
    };
    request.raw.on('data', count);
  });
  return { happened, stop: () => void request.raw.off('data', count) };
}

const invalid = (message: string): PortalError => new PortalError('request.invalid', { message });

const notAForm = (cause: unknown): PortalError =>
  new PortalError('request.invalid', {
    message: 'The multipart form is incomplete. Send it again',
    cause,
  });

const shown = (name: string | undefined): string => JSON.stringify((name ?? '').slice(0, 60));
