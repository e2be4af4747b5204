import type {
  AddWhitelistUrls,
  CreatedProject,
  CreateProject,
  Project,
  RemovedWhitelistUrl,
  RemoveWhitelistUrl,
  WhitelistAnswer,
} from '@orange-id/contract/projects.schema';
import type { User } from '../auth/user.entity.js';

/**
 * The caller: the user and the session of the bearer token, and the token itself. A user named in a body is ignored.
 */
export interface Caller {
  user: User;
  sessionId: string;
  token: string;
}

/** The project service: embedded, or a hosted one by `PROJECT_SERVICE_URL`. Other users' projects return `project.notFound`. */
export abstract class Projects {
  /** Creates a project with its whitelist and key; returns its code and the key. */
  abstract create(caller: Caller, input: CreateProject): Promise<CreatedProject>;

  /** The caller's projects, each with its key and its URLs. */
  abstract list(caller: Caller): Promise<Project[]>;

  /** Adds URLs to a project's whitelist, all or none; returns the whole whitelist. */
  abstract addUrls(caller: Caller, input: AddWhitelistUrls): Promise<WhitelistAnswer>;

  /** Removes one URL of a project's whitelist, but never its last. */
  abstract removeUrl(caller: Caller, input: RemoveWhitelistUrl): Promise<RemovedWhitelistUrl>;

  /** Replaces the key of the project of that name; returns the new one. The old one is refused within 1 s. */
  abstract generateKey(caller: Caller, projectName: string): Promise<string>;
}
