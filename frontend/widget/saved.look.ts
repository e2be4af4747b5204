import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import { projectCode } from '@orange-id/contract/project.code';
import { useEffect, useState } from 'react';
import type { PassportSettings } from './identity.addresses';
import type { IdentityClient } from './identity.client';
import { isAppearance } from './is.appearance';
import { isRecord } from './is.record';

/** How long the panel stays hidden for the project's look at a first visit, in ms. Then it shows the default. */
const waitMs = 600;

const nameOf = (code: string): string => `orange-id.appearance:${code}`;

/** A project's look, and its name for the panel's title. */
interface SavedLook {
  look: Appearance;
  appName?: string | undefined;
}

const defaultLook: SavedLook = { look: defaultAppearance };

/** The look that this browser was last shown for the project; null without one, or if storage is blocked. */
function lastKnown(code: string): SavedLook | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(code)) ?? 'null');
    if (!isRecord(stored) || !isAppearance(stored['look'])) return null;
    const { look, appName } = stored;
    return { look, appName: typeof appName === 'string' ? appName : undefined };
  } catch {
    return null;
  }
}

function remember(code: string, look: SavedLook): void {
  try {
    localStorage.setItem(nameOf(code), JSON.stringify(look));
  } catch {
    // A full or blocked storage costs the next visit a moment.
  }
}

/** Whether the page is the service's own, whose panel keeps the portal's look. */
const isOfService = (baseUrl: string): boolean =>
  new URL(baseUrl, window.location.href).origin === window.location.origin;

/**
 * The saved look and the name of the page's project: first the last known one, then the service's. `null` for a moment at a first
 * visit. A page without a project, or whose service does not answer, has the default.
 */
export function useSavedLook(
  { baseUrl, tenantId, subscriptionKey }: PassportSettings,
  client: Pick<IdentityClient, 'getAppearance'>,
): SavedLook | null {
  const code = isOfService(baseUrl)
    ? undefined
    : [tenantId, subscriptionKey].find((id) => id !== undefined && projectCode.test(id));
  const [look, setLook] = useState(() => (code === undefined ? defaultLook : lastKnown(code)));
  useEffect(() => {
    if (code === undefined) return undefined;
    const stop = new AbortController();
    const settle = () => setLook((known) => known ?? defaultLook);
    const late = setTimeout(settle, waitMs);
    client.getAppearance(stop.signal).then(
      ({ appearance, appName }) => {
        remember(code, { look: appearance, appName });
        setLook({ look: appearance, appName });
      },
      // The panel itself shows why its requests fail.
      () => stop.signal.aborted || settle(),
    );
    return () => {
      clearTimeout(late);
      stop.abort();
    };
  }, [client, code]);
  return look;
}
