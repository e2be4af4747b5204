import { savedKey, type SavedKey } from '@orange-id/contract/keys.schema';
import { useQuery } from '@tanstack/react-query';
import { http } from '../http';
import { keysQuery, savedKeys } from './key.list';

/** `GET /api/keys`: the user's saved keys, newest first. */
export const useSavedKeys = () => useQuery(keysQuery(savedKeys));

/** `POST /api/keys`. Throws what `http` throws. */
export const createSavedKey = (name: string): Promise<SavedKey> =>
  http({ path: savedKeys.path, method: 'POST', body: { name }, schema: savedKey });
