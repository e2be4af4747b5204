import type { FastifyReply, FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A response body in every encoding; created once and sent often. */
export type EncodedBody = Record<Encoding, Buffer>;

const compressed = { gzip: promisify(gzip), br: promisify(brotliCompress) };

/**
 * Compresses a large body off the event loop: brotli's best level takes seconds for a megabyte, this one a twentieth of
 * a second.
 */
export async function encodedBody(identity: Buffer): Promise<EncodedBody> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
  const [zipped, br] = await Promise.all([compressed.gzip(identity), compressed.br(identity, quality)]);
  return { identity, gzip: zipped, br };
}

/** Compresses a small body while the portal starts. */
export const encodedAtOnce = (identity: Buffer): EncodedBody => ({
  identity,
  gzip: gzipSync(identity),
  br: brotliCompressSync(identity),
});

/** Sends the body in the best encoding that the request accepts; the caller sets the reply's type and caching. */
export function sendEncoded(request: FastifyRequest, reply: FastifyReply, body: EncodedBody): FastifyReply {
  const encoding = encodingOf(request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.header('vary', 'accept-encoding').send(body[encoding]);
}

/** The best encoding that a request accepts: brotli, else gzip, else none. A weight of 0 refuses. */
export function encodingOf(accepted = ''): Encoding {
  const offers = accepted.toLowerCase().split(',');
  const accepts = (name: string) =>
    offers.some((offer) => {
      const [offered, weight] = offer.split(';').map((part) => part.trim());
      return offered === name && !/^q=0(?:\.0*)?$/.test(weight ?? '');
    });
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity';
}
