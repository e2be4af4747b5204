import type { AccountChange } from '@orange-id/contract/identity.schema';
import { methodLabel } from '../../ui/method.names';

/** The sentence for a change. */
export function changeSentence({ kind, provider, label }: AccountChange): string {
  const method =
    provider === null ? 'A sign-in method' : methodLabel({ provider, label: label ?? '' }).trim();
  switch (kind) {
    case 'methodAdded':
      return `${method} was added`;
    case 'methodRemoved':
      return `${method} was removed`;
    case 'methodLost':
      return `${method} was removed because someone else confirmed that email`;
    case 'passwordChanged':
      return 'Your password was changed';
    case 'passwordReset':
      return 'Your password was reset with a link sent to your email';
    case 'deleted':
      return 'The account was deleted';
    case 'kept':
      return 'The account was kept';
    case 'projectRenamed':
      return `A project was renamed: ${label ?? ''}`;
    case 'signedOutEverywhere':
      return 'All sessions were signed out';
    case 'viewedByAdministrator':
      return 'An administrator looked up this account';
    case 'disabledByAdministrator':
      return 'An administrator disabled this account';
    case 'enabledByAdministrator':
      return 'An administrator enabled this account again';
    case 'keyRevokedByAdministrator':
      return `An administrator revoked an API key: ${label ?? ''}`;
    case 'quotaSetByAdministrator':
      return `An administrator set your daily quota: ${label ?? ''}`;
    case 'mailSentByAdministrator':
      return `An administrator sent an email again to ${label ?? ''}`;
  }
}
