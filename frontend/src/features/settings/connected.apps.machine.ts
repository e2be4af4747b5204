import type { ConnectedApp } from '@orange-id/contract/tenant.schema';
import type { TenantClaim } from '@orange-id/contract/tenant.claims';
import { submissionMachine } from '../../ui/submission';

/** What an app is to see. */
export interface AppChange {
  app: ConnectedApp;
  claims: readonly TenantClaim[];
}

/** Changes what a connected app sees, as chosen in a dialog. */
export const changeAppMachine = submissionMachine<AppChange, 'app'>('changeApp');

/** Disconnects an app, after confirmation. */
export const disconnectAppMachine = submissionMachine<ConnectedApp>('disconnectApp');
