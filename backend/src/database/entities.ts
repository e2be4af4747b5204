import { AccountChangeRow } from '../identity/changes/account-change.entity.js';
import { Credential } from '../identity/email/credential.entity.js';
import { LinkedIdentity } from '../identity/linked-accounts/linked-identity.entity.js';
import { RefreshToken } from '../identity/sessions/refresh-token.entity.js';
import { BrowserSession } from '../identity/social/browser-session.entity.js';
import { SigningKey } from '../identity/tokens/signing-key.entity.js';
import { User } from '../identity/user.entity.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { ProjectUrl } from '../projects/project-url.entity.js';
import { Project } from '../projects/project.entity.js';

/** Tables that are used as entities; usage, its roll-ups and key changes are plain SQL. */
export const entities = [
  AccountChangeRow,
  ApiKey,
  Credential,
  LinkedIdentity,
  Project,
  ProjectUrl,
  RefreshToken,
  BrowserSession,
  SigningKey,
  User,
];
