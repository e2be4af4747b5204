import { savedKey, type SavedKey } from '@orange-id/contract/keys.schema';
import { http } from '../http';
import { savedKeys } from './key.list';

/** `POST /api/keys`. Throws what `http` throws. */
export const createSavedKey = (name: string): Promise<SavedKey> =>
  http({ path: savedKeys.path, method: 'POST', body: { name }, schema: savedKey });
