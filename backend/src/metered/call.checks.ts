import { Inject, Injectable } from '@nestjs/common';
import { isWellFormedApiKey } from '@orange-id/contract/api-key.rule';
import { apiKeyHeader } from '@orange-id/contract/metered.paths';
import { localOrigin, storedOrigin } from '@orange-id/contract/origin.rule';
import { isOriginAllowed } from '@orange-id/contract/whitelist.rule';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { MetricsRegistry } from '../health/metrics.registry.js';
import { addressKey } from '../http/address.key.js';
import { canBeHostedKey } from '../keys/hosted-key.rule.js';
import { DailyQuota, secondsToNextDay } from '../usage/daily.quota.js';
import { UsageRecorder } from '../usage/usage.recorder.js';
import { type CallState, refusedCallOf } from './call.state.js';
import { type KnownKey, revocationOf } from './key.directory.js';
import { unknownPathError } from './metered.routing.js';
import { keyRefusal, originRefusal, quotaRefusal, rateRefusal, type Refusal } from './metered.refusals.js';
import { RateWindow } from './rate.window.js';

/**
 * The checks of a call with an API key, each a function that returns why it refuses the call, or `null`. A check of a
 * known key also has the refused call recorded: as a row of its own by setting `request.metered`, or aggregated.
 */
@Injectable()
export class CallChecks {
  private readonly isEmbedded: boolean;
  private readonly mayBeKey: (text: string) => boolean;
  private readonly ownOrigins: string[];
  private readonly mostPerAddress: number;
  private readonly mostPerKey: number;
  private readonly perAddress: RateWindow;
  private readonly perKey: RateWindow;
  private readonly counts;

  constructor(
    @Inject(ENVIRONMENT) environment: Environment,
    private readonly recorder: UsageRecorder,
    private readonly quota: DailyQuota,
    metrics: MetricsRegistry,
  ) {
    this.isEmbedded = environment.PROJECT_SERVICE_URL === undefined;
    this.mayBeKey = this.isEmbedded ? isWellFormedApiKey : canBeHostedKey;
    this.ownOrigins = [new URL(environment.PUBLIC_URL).origin];
    this.mostPerAddress = environment.RATE_LIMIT_PER_ADDRESS;
    this.mostPerKey = environment.RATE_LIMIT_PER_KEY;
    this.perAddress = new RateWindow(this.mostPerAddress);
    this.perKey = new RateWindow(this.mostPerKey);
    const counter = (name: string, help: string) => metrics.counter(`metered_${name}_total`, help);
    this.counts = {
      unknown: counter('unknown_key', 'Calls without a key or with an unknown key'),
      revoked: counter('revoked_key', 'Calls with a replaced, deleted or expired key'),
      addressLimited: counter('address_limited', 'Calls over the per-address rate limit'),
      keyLimited: counter('key_limited', 'Calls over the per-key rate limit'),
      overQuota: counter('over_quota', 'Calls over the daily quota'),
      unavailable: counter('unavailable', 'Calls rejected because they could not be recorded'),
    };
  }

  /** The checks before the look-up of the key, without I/O. `at` in ms since the epoch. */
  beforeLookUp(request: FastifyRequest, reply: FastifyReply, at: number): Refusal | null {
    return this.addressLimit(request, at) ?? this.keyForm(request, reply) ?? this.recording();
  }

  /** The refusal of a key that the look-up did not find. */
  unknownKey(request: FastifyRequest): Refusal {
    this.counts.unknown.inc();
    return keyRefusal(request, this.mayBeKey);
  }

  stateOf(request: FastifyRequest, key: KnownKey, at: number): CallState {
    const { origin, isRefused } = this.originOf(request, key);
    return {
      key,
      startedAt: request.startedAt,
      at,
      origin,
      isOriginRefused: isRefused,
      outcome: null,
      errorCode: null,
    };
  }

  /** The checks of a call with a known key. */
  afterLookUp(call: CallState, request: FastifyRequest, reply: FastifyReply): Refusal | null {
    return (
      this.revocation(call, request) ??
      this.keyLimit(call, request, reply) ??
      this.originRule(call, request) ??
      this.dailyQuota(call, request) ??
      this.path(call, request, reply)
    );
  }

  private addressLimit(request: FastifyRequest, at: number): Refusal | null {
    if (!this.perAddress.isOver(addressKey(request.ip), at)) return null;
    this.counts.addressLimited.inc();
    return rateRefusal('The limit of a network address', this.mostPerAddress);
  }

  /** The key's checksum; with a hosted project service only its length and characters. */
  private keyForm(request: FastifyRequest, reply: FastifyReply): Refusal | null {
    const text = request.headers[apiKeyHeader];
    if (typeof text === 'string' && this.mayBeKey(text)) return null;
    if (text || !request.is404) return this.unknownKey(request);
    this.counts.unknown.inc();
    return unknownPathError(request, reply);
  }

  /** Whether the call can be recorded. */
  private recording(): Refusal | null {
    if (this.recorder.isAccepting) return null;
    this.counts.unavailable.inc();
    return 'usage.notRecorded';
  }

  private revocation(call: CallState, request: FastifyRequest): Refusal | null {
    const code = revocationOf(call.key, call.at);
    if (code === null) return null;
    this.counts.revoked.inc();
    call.outcome = 'revoked';
    call.errorCode = code;
    this.aggregateByOrigin(call, request, 401);
    return code;
  }

  private keyLimit(call: CallState, request: FastifyRequest, reply: FastifyReply): Refusal | null {
    const { key, at } = call;
    const most = Math.min(key.rateLimit ?? this.mostPerKey, this.mostPerKey);
    const left = most - this.perKey.count(key.id, at);
    // Anyone may call with a project's key: the calls left would tell them how much others call.
    if (left < 0 || (key.rateLimit !== null && key.project === null))
      showLimit(reply, most, Math.max(left, 0));
    if (left >= 0) return null;
    this.counts.keyLimited.inc();
    call.outcome = 'limited';
    this.recorder.aggregate(refusedCallOf(request, 429, call));
    return rateRefusal('This key’s limit', most);
  }

  private originRule(call: CallState, request: FastifyRequest): Refusal | null {
    if (!call.isOriginRefused) return null;
    const { origin } = call;
    call.outcome = 'blocked';
    this.aggregateByOrigin(call, request, 403);
    return originRefusal(origin, this.isEmbedded);
  }

  private dailyQuota(call: CallState, request: FastifyRequest): Refusal | null {
    const { key, at } = call;
    if (!this.quota.isSpent(key.userId, at, key.dailyQuota)) return null;
    this.counts.overQuota.inc();
    call.outcome = 'overQuota';
    this.recorder.aggregate(refusedCallOf(request, 429, call));
    return quotaRefusal(this.quota.of(key.dailyQuota), secondsToNextDay(at));
  }

  /** Here, and not by a handler, so that no part of the body is read. */
  private path(call: CallState, request: FastifyRequest, reply: FastifyReply): Refusal | null {
    if (!request.is404) return null;
    call.errorCode = unknownPathError(request, reply);
    request.metered = call;
    return call.errorCode;
  }

  /** The first refusal of an origin in a second is a row of its own, so that an owner who tests a page sees it at once. */
  private aggregateByOrigin(call: CallState, request: FastifyRequest, statusCode: number): void {
    const { isFirst, origin } = this.recorder.aggregateByOrigin(refusedCallOf(request, statusCode, call));
    if (!isFirst) return;
    call.origin = origin;
    request.metered = call;
  }

  private originOf(
    request: FastifyRequest,
    { project }: KnownKey,
  ): { origin: string | null; isRefused: boolean } {
    const header = request.headers.origin;
    if (header === undefined) return { origin: null, isRefused: false };
    const verdict = isOriginAllowed(header, project?.urls ?? [], this.ownOrigins, project?.origins);
    if (verdict === 'local') return { origin: localOrigin, isRefused: false };
    return { origin: storedOrigin(header), isRefused: verdict === 'refused' && project !== null };
  }
}

/**
 * The key's limit per second on this instance, the calls left and the seconds until it resets, as
 * draft-ietf-httpapi-ratelimit-headers-10 defines the fields.
 */
function showLimit(reply: FastifyReply, most: number, left: number): void {
  reply.header('ratelimit-policy', `"key";q=${most};w=1`).header('ratelimit', `"key";r=${left};t=1`);
}
