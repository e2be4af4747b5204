import { Credential } from '../identity/credential.entity.js';
import { LinkedIdentity } from '../identity/linked-identity.entity.js';
import { RefreshToken } from '../identity/refresh-token.entity.js';
import { Session } from '../identity/session.entity.js';
import { SigningKey } from '../identity/signing-key.entity.js';
import { User } from '../identity/user.entity.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { ProjectUrl } from '../projects/project-url.entity.js';
import { Project } from '../projects/project.entity.js';

/** The tables that are read and written as entities; usage, its roll-ups and key changes are plain SQL. */
export const entities = [
  ApiKey,
  Credential,
  LinkedIdentity,
  Project,
  ProjectUrl,
  RefreshToken,
  Session,
  SigningKey,
  User,
];
