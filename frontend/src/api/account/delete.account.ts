import { deletionState, type DeletionState, deletionWord } from '@orange-id/contract/leaving.schema';
import { http } from '../http';

const path = '/api/account/deletion';

/** `POST /api/account/deletion`: deletes the account; 403 `auth.proofRequired` without a recent confirmation. */
export const deleteAccount = (): Promise<DeletionState> =>
  http({
    path,
    method: 'POST',
    credentials: 'same-origin',
    body: { word: deletionWord },
    schema: deletionState,
  });

/** `POST /api/account/deletion/state`: when the data of a deleted account goes, after a sign-in to it. */
export const getDeletion = (refreshToken: string, signal: AbortSignal): Promise<DeletionState> =>
  http({
    path: `${path}/state`,
    method: 'POST',
    token: null,
    body: { refreshToken },
    schema: deletionState,
    signal,
  });

/** `POST /api/account/deletion/keep`: keeps a deleted account, after a sign-in to it. */
export const keepAccount = (refreshToken: string, signal: AbortSignal): Promise<void> =>
  http<void>({ path: `${path}/keep`, method: 'POST', token: null, body: { refreshToken }, signal });

/** `POST /api/account/deletion/leave`: ends the session of a sign-in to a deleted account. */
export const leaveDeleted = (refreshToken: string, signal: AbortSignal): Promise<void> =>
  http<void>({ path: `${path}/leave`, method: 'POST', token: null, body: { refreshToken }, signal });
