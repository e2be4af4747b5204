import { unknownRegion, type ProjectUser } from '@orange-id/contract/project.users.schema';
import { methodNames } from '../../ui/method.names';
import { shortAddress } from '../../ui/short.address';

const regions = new Intl.DisplayNames('en', { type: 'region' });
export const regionName = (code: string): string =>
  code === unknownRegion ? 'Unknown' : (regions.of(code) ?? code);

export const methodName = (method: string): string =>
  Object.hasOwn(methodNames, method) ? methodNames[method as keyof typeof methodNames] : method;

/** What the list calls a person: what they consented to, or else the end of their id. */
export function personName({ id, name, email, wallet, isConnected }: ProjectUser): string {
  const known = name || email || (wallet && shortAddress(wallet));
  return known || `${isConnected ? 'Person' : 'Disconnected'} …${id.slice(-6)}`;
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** `21 Nov`, of a UTC day; empty for none. */
export function dayName(day: string | number): string {
  const date = new Date(day);
  return Number.isNaN(date.getTime()) ? '' : days.format(date);
}
