import { Body, Controller, Get, Inject, Param, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { limits } from '@orange-id/contract/limits';
import { createdExport, createExport } from '@orange-id/contract/usage.export.schema';
import type { CreatedExport, CreateExport } from '@orange-id/contract/usage.export.schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { NoStoreInterceptor } from '../http/no-store.interceptor.js';
import { PortalError } from '../http/portal.error.js';
import { AccessTokenVerifier } from '../auth/access-token.verifier.js';
import { RequiresSignIn } from '../auth/requires.sign-in.js';
import { bearerToken } from '../auth/bearer.strategy.js';
import { CurrentUser } from '../auth/current.user.js';
import type { User } from '../auth/user.entity.js';
import { ExportDownloads } from './export.downloads.js';
import { contentTypes, exportFileName } from './export.text.js';
import { UsageExports } from './usage.exports.js';

const cookieName = 'usage-export';
const cookiePattern = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)`);

@ApiTags('Usage')
@Controller('api/usage/exports')
@UseInterceptors(NoStoreInterceptor)
export class UsageExportsController {
  constructor(
    private readonly exports: UsageExports,
    private readonly downloads: ExportDownloads,
    private readonly verifier: AccessTokenVerifier,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Post()
  @RequiresSignIn()
  @ApiOperation({
    summary: 'Create a download URL, valid for 60 s, for the calls that match now',
    description:
      'Fetch it with the cookie from this response, as a browser does, or once with a bearer token of the same user.',
  })
  @ApiResponse({ status: 201, standardSchema: createdExport })
  @ApiResponse({ status: 404, description: 'The caller has no such key or project.' })
  @ApiResponse({
    status: 429,
    description: `The caller has ${limits.exportAddressesPerUser} unused URLs, or ${limits.exportDownloadsPerUser} downloads running.`,
  })
  async create(
    @CurrentUser() user: User,
    @Body({ schema: createExport }) request: CreateExport,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedExport> {
    this.downloads.checkRoom(user.id);
    const { token, browserSecret, askedAt, expiresAt } = await this.exports.create(user.id, request);
    const url = `/api/usage/exports/${token}`;
    void reply.header('set-cookie', this.cookie(url, browserSecret, limits.exportAddressMs / 1000));
    return {
      url,
      fileName: exportFileName(request.format, askedAt),
      expiresAt: expiresAt.toISOString(),
    };
  }

  @Get(':token')
  @ApiOperation({
    summary:
      'Download the export: CSV (RFC 4180, with a byte-order mark) or one line of JSON per call, newest first',
  })
  @ApiResponse({
    status: 200,
    description: 'The file; it is incomplete if the connection ends early.',
    content: {
      'text/csv': { schema: { type: 'string' } },
      'application/x-ndjson': { schema: { type: 'string' } },
    },
  })
  @ApiResponse({
    status: 410,
    description:
      'The URL is unknown, expired or used up, or the request has neither its cookie nor a token of the same user.',
  })
  @ApiResponse({
    status: 429,
    description: `The user has ${limits.exportDownloadsPerUser} downloads running, or the portal ${limits.exportDownloads}; the URL stays valid.`,
  })
  async fetch(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // A HEAD request must not use up the address.
    if (request.method === 'HEAD') throw new PortalError('route.notFound');
    const fetcher = {
      browserSecret: cookiePattern.exec(request.headers.cookie ?? '')?.[1] ?? null,
      userId: await this.userIdOf(request),
    };
    const wanted = await this.exports.take(token, fetcher, (ownerId) =>
      this.downloads.begin(ownerId, reply.raw),
    );
    const text = this.exports.text(wanted);
    // Read before the headers are sent, so that a database outage still gets an error status.
    const first = [(await text.next()).value ?? ''];
    const body = Readable.from(startingWith(first, text), { objectMode: false });
    void reply
      .header('content-type', contentTypes[wanted.format])
      .header(
        'content-disposition',
        `attachment; filename="${exportFileName(wanted.format, wanted.askedAt)}"`,
      )
      // A request for a range gets the whole file: it is made while it is read.
      .header('accept-ranges', 'none')
      .send(body);
  }

  private async userIdOf({ headers, ip }: FastifyRequest): Promise<string | null> {
    if (headers.authorization === undefined) return null;
    const { user } = await this.verifier.verify(bearerToken(headers.authorization), Date.now(), ip);
    return user.id;
  }

  /** The cookie is sent to this one address only, and is useless without it. */
  private cookie(path: string, value: string, seconds: number): string {
    const secure = this.environment.PUBLIC_URL.startsWith('https:') ? '; Secure' : '';
    return `${cookieName}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }
}

/** Takes the first piece out of its list, so that nothing keeps it in memory during the download. */
async function* startingWith(first: string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  const text = first.pop();
  if (text) yield text;
  yield* rest;
}
