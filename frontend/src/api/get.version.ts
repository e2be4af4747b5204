import type { PublicConfig } from '@orange-id/contract/config.schema';
import { versionInfo, type VersionInfo } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';

/**
 * `GET /api/v1/settings/version` of the identity service: where its login widget lies. Like the identity client it
 * logs 'HTTP error! Status: N' and answers `null` on failure.
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
