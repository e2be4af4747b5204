import type { PublicConfig } from '@orange-id/contract/config.schema';
import { versionInfo, type VersionInfo } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';

/**
 * `GET /api/v1/settings/version` of the identity service: the URLs of its login widget. On failure it logs 'HTTP error!
 * Status: N' and returns `null`, as the identity client does.
 */
export async function readVersion(identity: PublicConfig['identity']): Promise<VersionInfo | null> {
  try {
    const response = await fetch(`${identity.baseUrl}/api/v1/settings/version`, {
      headers: { 'Ocp-Apim-Subscription-Key': identity.subscriptionKey },
      signal: AbortSignal.timeout(limits.userRequestTimeoutMs),
    });
    if (!response.ok) throw new Error(`HTTP error! Status: ${response.status}`);
    return versionInfo.parse(await response.json());
  } catch (error) {
    console.error('Failed to fetch version info:', error);
    return null;
  }
}
