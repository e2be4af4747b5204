import {
  removedWhitelistUrl,
  type RemovedWhitelistUrl,
  type RemoveWhitelistUrl,
} from '@orange-id/contract/projects.schema';
import { http } from '../http';

/** `DELETE /devportal/v1/project/whitelist`: removes one URL from a project. Throws what `http` throws. */
export const removeWhitelistUrl = (removal: RemoveWhitelistUrl): Promise<RemovedWhitelistUrl> =>
  http({
    path: '/devportal/v1/project/whitelist',
    method: 'DELETE',
    body: removal,
    schema: removedWhitelistUrl,
  });
