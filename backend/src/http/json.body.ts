import { limits } from '@orange-id/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyBudget } from './body.budget.js';
import { readsFiles } from './file.body.js';
import { formParsing, readForm, readsForms } from './form.body.js';
import { PortalError } from './portal.error.js';

/**
 * Accepts only JSON bodies: any other content type, or none, returns 415 with its name, and a forbidden field name
 * (`__proto__`, `constructor.prototype`) or too many lists and objects return 400. `budget` limits the bodies that are
 * kept at once. A compressed body of any type returns 415: few clients compress, and what a small one expands to has no
 * limit.
 */
export function readOnlyJsonBodies(fastify: FastifyInstance, budget: BodyBudget): void {
  const read = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Many clients set the type without a body; a route that needs a body requires it in its schema.
    if (body === '' || request.is404) return done(null, undefined);
    if (hasTooManyParts(body)) return done(tooManyParts);
    void read(request, body, (error, value) => done(error && refusalOf(body), value));
  });
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    if (isEmpty(request)) return done(null, undefined);
    done(typeRefusalOf(request));
  });
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    if (!hasBody(request)) return done();
    const encoding = request.headers['content-encoding'];
    if (encoding && encoding !== 'identity' && !request.is404) {
      reply.header('accept-encoding', 'identity');
      return done(encodingRefusalOf(encoding));
    }
    // Not a file: its handler reads it, once the sender is known.
    if (!readsFiles(request)) budget.take(request, request.routeOptions.bodyLimit ?? 0);
    done();
  });
}

/**
 * Like `readOnlyJsonBodies`, but also accepts forms on routes marked by `ReadsForms` and files on routes marked by
 * `ReadsFiles`.
 */
export function readJsonBodies(fastify: FastifyInstance, budget: BodyBudget): void {
  readOnlyJsonBodies(fastify, budget);
  fastify.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    formParsing,
    (request, body, done) => {
      if (request.is404 || body === '') return done(null, undefined);
      if (!readsForms(request)) return done(typeRefusalOf(request));
      try {
        done(null, readForm(body));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  // The multipart parser applies to every route, and would leave a body unread where no handler reads it.
  fastify.addHook('preParsing', async (request) => {
    const isMultipart = /^multipart\//i.test(request.headers['content-type'] ?? '');
    if (isMultipart && !readsFiles(request) && !isEmpty(request)) throw typeRefusalOf(request);
  });
}

const isEmpty = (request: FastifyRequest): boolean =>
  request.is404 || request.headers['content-length'] === '0';

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const encodingRefusalOf = (encoding: string): PortalError =>
  new PortalError('request.typeUnsupported', {
    message: `A body with Content-Encoding: ${encoding.slice(0, 100)} isn’t accepted here. Send it uncompressed, without Content-Encoding`,
  });

function typeRefusalOf(request: FastifyRequest): PortalError {
  const type = request.headers['content-type'];
  const problem =
    type === undefined
      ? 'The request has no Content-Type header'
      : `A body of type ${type.slice(0, 100)} isn’t accepted here`;
  return new PortalError('request.typeUnsupported', {
    message: readsFiles(request)
      ? `${problem}. Send the file as multipart/form-data`
      : `${problem}. Send JSON with Content-Type: application/json`,
  });
}

const tooManyParts = new PortalError('request.invalid', {
  message: `The body has more than ${limits.jsonPartsMax.toLocaleString('en-US')} lists and objects. Send fewer`,
});

/** Parsing 240 kB of lists takes 15 ms, 60 times as long as other bodies of this size; other requests wait meanwhile. */
function hasTooManyParts(json: string): boolean {
  let parts = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = endOfText(json, at);
    else if ((character === '[' || character === '{') && ++parts > limits.jsonPartsMax) return true;
  }
  return false;
}

/** The place of the quotation mark that ends the text that begins at `start`; the end of the body without one. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

/** Why a body was refused: the parser uses the same message for a forbidden name and a syntax error. */
function refusalOf(body: string): PortalError {
  try {
    JSON.parse(body.replace(/^\ufeff/, ''));
  } catch (error) {
    // The parser's own message quotes the body, which may have a secret.
    const place = /at position (\d+)/.exec(String(error))?.[1];
    const where = place === undefined ? '' : ` at character ${Number(place) + 1}`;
    return new PortalError('request.invalid', {
      message: `The body isn’t valid JSON${where}. Send one JSON value, with names and texts in double quotes`,
    });
  }
  return new PortalError('request.invalid', {
    message: 'The body has a forbidden field name: __proto__ or constructor.prototype. Remove that field',
  });
}
