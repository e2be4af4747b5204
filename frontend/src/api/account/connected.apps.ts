import { connectedAppList, type ConnectedAppUpdate } from '@orange-id/contract/tenant.schema';
import { queryKeys } from '../cache/query.keys';
import { http } from '../http';
import { useIdentityList } from './useIdentityList';

const path = '/api/v1/auth/apps';

/** `GET /api/v1/auth/apps`: the apps the account is connected to, last used first. */
export const useConnectedApps = () =>
  useIdentityList({ queryKey: queryKeys.connectedApps, path, schema: connectedAppList });

/** `PATCH /api/v1/auth/apps/:id`: changes what an app sees; 404 if the account is no longer connected to it. */
export const changeApp = (id: string, body: ConnectedAppUpdate): Promise<void> =>
  http<void>({ path: addressOf(id), method: 'PATCH', credentials: 'same-origin', body });

/** `DELETE /api/v1/auth/apps/:id`: disconnects an app and ends its sessions; 404 as above. */
export const disconnectApp = (id: string): Promise<void> =>
  http<void>({ path: addressOf(id), method: 'DELETE', credentials: 'same-origin' });

const addressOf = (id: string): string => `${path}/${encodeURIComponent(id)}`;
