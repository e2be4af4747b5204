import { Logger } from '@nestjs/common';
import { type ErrorCode, errorTable } from '@orange-id/contract/error.codes';
import { createdProject, project } from '@orange-id/contract/projects.schema';
import type {
  AddWhitelistUrls,
  CreatedProject,
  CreateProject,
  Project,
  RemovedWhitelistUrl,
  RemoveWhitelistUrl,
  WhitelistAnswer,
} from '@orange-id/contract/projects.schema';
import type { ProjectChange } from '@orange-id/contract/socket.events';
import { z } from 'zod';
import { PortalError } from '../http/portal.error.js';
import {
  jsonOf,
  type ServiceAnswer,
  ServiceClient,
  type ServiceTimes,
  shownText,
} from '../http/service.client.js';
import { canBeHostedKey } from '../keys/hosted-key.rule.js';
import type { ProjectChanges } from '../realtime/project.changes.js';
import type { ProjectLimits } from './project.limits.js';
import { comparedForm, type ProjectMirror, type UpstreamChange } from './project.mirror.js';
import { checkedProjectName, checkedWhitelist } from './project.rules.js';
import { type Caller, Projects } from './projects.port.js';

/** Larger than the longest list of the embedded service. */
const answerMaxBytes = 8 * 1_048_576;
const messageMaxCharacters = 500;

/** The header in which hosted services expect their key. */
const serviceKeyHeader = 'Ocp-Apim-Subscription-Key';

/** The message of a refusal; several are sent as a list. */
const spoken = z
  .object({
    code: z.string().catch(''),
    message: z.union([z.string(), z.array(z.string()).transform((list) => list.join('; '))]).catch(''),
  })
  .catch({ code: '', message: '' });

interface Question {
  method: string;
  /** Below `/devportal/v1/`. */
  path: string;
  body?: object;
}

/** Other services may use numeric ids; the browser gets text. */
const hostedList = z.array(project.extend({ id: z.union([z.string(), z.number()]).transform(String) }));
/** The format of this response is not specified beyond being JSON. */
const hostedWhitelist = z.object({ success: z.boolean().optional(), urls: z.array(z.string()).optional() });
const hostedRemoval = z.object({
  success: z.boolean(),
  deleted: z.union([z.number().int().min(0), z.boolean().transform(Number)]).default(1),
});

/**
 * A hosted project service: sends each request once, with the portal's service key and the caller's bearer token, and
 * waits at most 10 s. Validates and mirrors each response and passes it on in the form of the contract.
 */
export class RemoteProjects extends Projects {
  private readonly logger = new Logger('Project service');
  private readonly client: ServiceClient;

  constructor(
    private readonly service: { url: string; key: string },
    private readonly mirror: ProjectMirror,
    private readonly projectLimits: ProjectLimits,
    private readonly projectChanges: ProjectChanges,
    times: Partial<ServiceTimes> = {},
  ) {
    super();
    this.client = new ServiceClient(
      {
        name: 'Project service',
        url: service.url,
        unavailable: 'project.unavailable',
        answerMaxBytes,
        saysNo: isNameTaken,
      },
      times,
    );
  }

  /** Applies the rules of the embedded service; refusals that only the service can decide keep its message. */
  async create(caller: Caller, input: CreateProject): Promise<CreatedProject> {
    const projectName = checkedProjectName(input.projectName);
    const urls = checkedWhitelist(input.whitelistURL, 'whitelistURL', { isHosted: true });
    this.projectLimits.making.take(caller.user.id);
    const sequence = await this.mirror.sequence();
    const { source } = input;
    const body = { projectName, whitelistURL: urls, ...(source === undefined ? {} : { source }) };
    const answer = await this.ask(caller, { method: 'POST', path: 'project', body });
    if (isNameTaken(answer)) throw new PortalError('project.nameTaken');
    const { projectId, apiKey } = this.read('project', answer, createdProject);
    await this.keep(caller, sequence, { code: projectId, projectName, apiKey, urls: () => urls }, 'created');
    return { projectId, apiKey };
  }

  list(caller: Caller): Promise<Project[]> {
    return this.client.run(caller.user.id, () => this.readAll(caller));
  }

  /** Outside the user's concurrency limit: a change must be mirrored whatever else the user requests. */
  private async readAll(caller: Caller): Promise<Project[]> {
    const sequence = await this.mirror.sequence();
    const path = 'user/projects';
    const answer = await this.send(caller, { method: 'GET', path });
    // The only refusal that makes sense here is a rate limit.
    if (!isDone(answer) && answer.status !== 429)
      throw this.invalidAnswer(path, `returned status ${answer.status}`);
    const projects = this.read(path, answer, hostedList);
    await this.mirrored(() => this.mirror.keepAll(caller.user.id, sequence, projects));
    return projects;
  }

  async addUrls(caller: Caller, input: AddWhitelistUrls): Promise<WhitelistAnswer> {
    const { code, projectName } = input;
    const added = checkedWhitelist(input.urls, 'urls', { isHosted: true });
    this.projectLimits.changing.take(caller.user.id);
    const sequence = await this.mirror.sequence();
    const path = 'project/whitelist-urls';
    // The user of the bearer token, in the identity service's form; a body cannot name another.
    const body = { code, projectName, urls: added, userId: caller.user.subject };
    const answer = await this.ask(caller, { method: 'POST', path, body });
    const { success, urls: upstream } = this.read(path, answer, hostedWhitelist);
    if (success === false) throw this.refusal(path, answer);
    const urls = (kept: readonly string[]) => upstream ?? [...new Set([...kept, ...added])];
    const kept = await this.keep(caller, sequence, { code, urls }, 'updated');
    return { success: true, urls: upstream ?? kept };
  }

  async removeUrl(caller: Caller, input: RemoveWhitelistUrl): Promise<RemovedWhitelistUrl> {
    const { code, projectName, url } = input;
    this.projectLimits.changing.take(caller.user.id);
    const sequence = await this.mirror.sequence();
    const path = 'project/whitelist';
    const answer = await this.ask(caller, { method: 'DELETE', path, body: { projectName, code, url } });
    const { success, deleted } = this.read(path, answer, hostedRemoval);
    if (!success) throw this.refusal(path, answer);
    const gone = comparedForm(url);
    const urls = (kept: readonly string[]) => kept.filter((each) => each !== gone);
    if (deleted > 0) await this.keep(caller, sequence, { code, urls }, 'updated');
    return { success, deleted };
  }

  /** Sent once, whatever the outcome: a second request would be a second change. */
  async generateKey(caller: Caller, projectName: string): Promise<string> {
    this.projectLimits.changing.take(caller.user.id);
    const sequence = await this.mirror.sequence();
    const path = 'project/generateKey';
    const answer = await this.ask(caller, { method: 'POST', path, body: { projectName } });
    if (!isDone(answer)) throw this.refusal(path, answer);
    const apiKey = keyOf(answer);
    if (apiKey === null) throw this.invalidAnswer(path, 'returned something other than an API key');
    const code = await this.mirrored(() => this.mirror.codeOf(caller.user.id, projectName));
    if (typeof code === 'string') {
      await this.keep(caller, sequence, { code, apiKey }, 'keyRotated');
      return apiKey;
    }
    // Unknown or ambiguous name: only the list shows which project has this key now.
    const listed = await this.mirrored(() => this.readAll(caller));
    const changed = listed?.find((one) => one.apiKey === apiKey);
    if (changed) this.projectChanges.emit(caller.user.id, { projectId: changed.code, kind: 'keyRotated' });
    return apiKey;
  }

  /** Mirrors a change and notifies the owner's pages; resolves to the stored URLs. */
  private async keep(
    caller: Caller,
    sequence: bigint,
    upstream: UpstreamChange,
    kind: ProjectChange,
  ): Promise<string[]> {
    const ownerId = caller.user.id;
    const kept = await this.mirrored(() => this.mirror.keepOne(ownerId, sequence, upstream));
    if (kept?.isTrue === false) await this.mirrored(() => this.readAll(caller));
    this.projectChanges.emit(ownerId, { projectId: upstream.code, kind });
    return kept?.urls ?? [];
  }

  /** The service has made the change, and its response must not be lost: the next list repairs a failure here. */
  private async mirrored<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.logger.error(
        `Saving the service’s response here failed; the user’s next project list repairs it: ${String(error)}`,
      );
      return undefined;
    }
  }

  private ask(caller: Caller, question: Question): Promise<ServiceAnswer> {
    return this.client.run(caller.user.id, () => this.send(caller, question));
  }

  private send({ token }: Caller, { method, path, body }: Question): Promise<ServiceAnswer> {
    return this.client.send(`/devportal/v1/${path}`, {
      method,
      headers: {
        Accept: 'application/json, text/plain',
        Authorization: `Bearer ${token}`,
        [serviceKeyHeader]: this.service.key,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  private read<T>(path: string, answer: ServiceAnswer, schema: z.ZodType<T>): T {
    if (!isDone(answer)) throw this.refusal(path, answer);
    const parsed = schema.safeParse(jsonOf(answer));
    if (parsed.success) return parsed.data;
    // Logs the location of the fault, never the value, which may be a key.
    const place = parsed.error.issues[0]?.path.map(String).join('.') || 'the whole body';
    throw this.invalidAnswer(path, `returned a response of another shape at ${place}`);
  }

  private invalidAnswer(path: string, why: string): PortalError {
    return this.client.invalidAnswer(`/devportal/v1/${path}`, why);
  }

  /**
   * Translates a refusal of the service. Shows its message without the key or the bearer token that the service
   * received.
   */
  private refusal(path: string, answer: ServiceAnswer): PortalError {
    const { status, headers } = answer;
    if (status === 401 || status === 403) {
      return this.invalidAnswer(
        path,
        `returned status ${status} for an access token that’s valid here. Check PROJECT_SERVICE_KEY`,
      );
    }
    const { code, message: text } = spoken.parse(jsonOf(answer));
    const message = shownText(text, messageMaxCharacters, [this.service.key]);
    const options = message === '' ? {} : { message };
    if (isProjectCode(code) && errorTable[code].status === status) return new PortalError(code, options);
    if (status === 404) return new PortalError('project.notFound');
    if (status === 413) return new PortalError('request.tooLarge');
    if (status === 429) {
      const seconds = Number(headers.get('retry-after'));
      return new PortalError('request.rateLimited', {
        ...options,
        retryAfterSeconds: Number.isInteger(seconds) && seconds > 0 ? seconds : 1,
      });
    }
    const isOfRequest = status >= 400 && status < 500 && status !== 409;
    return new PortalError(isOfRequest ? 'request.invalid' : 'project.refused', options);
  }
}

const isDone = ({ status }: ServiceAnswer): boolean => status >= 200 && status < 300;

/** A taken name is a 400 or a 500 whose text says so. */
function isNameTaken({ status, bytes }: ServiceAnswer): boolean {
  return (status === 400 || status === 500) && bytes.includes('already exists');
}

const isProjectCode = (code: string): code is ErrorCode => code.startsWith('project.') && code in errorTable;

/** The key in a response as plain text, which some services send as JSON; null if there is none. */
function keyOf(answer: ServiceAnswer): string | null {
  const json = jsonOf(answer);
  const text = typeof json === 'string' ? json : answer.bytes.toString('utf8').trim();
  return canBeHostedKey(text) && !/[{}<>"]/.test(text) ? text : null;
}
