import multipart from '@fastify/multipart';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PortalError } from './portal.error.js';
import { quoted } from './request.issues.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    readsFiles?: boolean;
  }
}

/**
 * Marks a handler that reads a file from a multipart form (RFC 7578) with `readFile`. Other routes return 415 for such
 * forms.
 */
export const ReadsFiles = (): MethodDecorator => RouteConfig({ readsFiles: true });

export const readsFiles = (request: FastifyRequest): boolean =>
  request.routeOptions.config.readsFiles === true;

/** The allowance for the multipart form around its one file, in bytes. */
const formMaxBytes = 16_384;

/** One uploaded file: `type` and `name` come from the client and may be anything. */
export interface SentFile {
  bytes: Buffer;
  type: string;
  name: string;
}

/** Lets handlers marked by `ReadsFiles` read multipart forms; no part of a body is read before the handler reads it. */
export async function readMultipartForms(fastify: FastifyInstance): Promise<void> {
  await fastify.register(multipart);
}

/**
 * Reads a form that contains one file, in the field `field`, and nothing else; keeps and reads at most slightly more
 * than `maxBytes`. Throws `request.typeUnsupported`, `request.invalid`, and the error of `tooLarge` unless the file has
 * fewer bytes than `maxBytes`.
 */
export async function readFile(
  request: FastifyRequest,
  { field, maxBytes, tooLarge }: { field: string; maxBytes: number; tooLarge: () => PortalError },
): Promise<SentFile> {
  if (!request.isMultipart()) {
    throw new PortalError('request.typeUnsupported', {
      message: `Send the file as multipart/form-data, in a field called "${field}"`,
    });
  }
  if (Number(request.headers['content-length']) > maxBytes + formMaxBytes) throw tooLarge();
  const overflow = watchSize(request, maxBytes + formMaxBytes, tooLarge);
  try {
    return await Promise.race([readParts(request, { field, maxBytes, tooLarge }), overflow.happened]);
  } catch (error) {
    // Discards the rest of the body, so that the client can read the response.
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
    // One more of each than is allowed, so that the error can name it.
    limits: { fileSize: maxBytes - 1, files: 2, fields: 1, parts: 3, fieldNameSize: 100, fieldSize: 100 },
    throwFileSizeLimit: false,
  } as Parameters<FastifyRequest['parts']>[0]);
  for await (const part of parts) {
    if (part.fieldname !== field) {
      throw invalid(
        `The form has a field called ${quoted(part.fieldname ?? '')}. Send the file in a field called "${field}", and nothing else`,
      );
    }
    if (part.type !== 'file') {
      throw invalid(`The field "${field}" contains text. Send a file in it`);
    }
    if (sent !== null) throw invalid(`The form has more than one field "${field}". Send one file`);
    const bytes = await part.toBuffer();
    if (part.file.truncated) throw tooLarge();
    sent = { bytes, type: part.mimetype, name: part.filename };
  }
  if (sent === null) throw invalid(`The form has no file. Send one in a field called "${field}"`);
  return sent;
}

/**
 * Limits the whole body: data that the parser skips (text before the first part, the rest of an oversized file) is in
 * no part.
 */
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
