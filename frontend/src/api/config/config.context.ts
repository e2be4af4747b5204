import type { PublicConfig } from '@orange-id/contract/config.schema';
import { signInMethods } from '@orange-id/contract/sign-in.methods';
import { createContext, useContext } from 'react';

export const ConfigContext = createContext<PublicConfig | null>(null);

/** The response of `GET /api/config`. Components that need it render only after it has loaded. */
export function useConfig(): PublicConfig {
  const config = useContext(ConfigContext);
  if (!config) throw new Error('useConfig needs a ConfigContext.Provider above it');
  return config;
}

/** The sign-in methods that this portal is configured for; email and wallets always are. */
export function useConfiguredMethods(): readonly (typeof signInMethods)[number][] {
  const { features } = useConfig();
  return signInMethods.filter((method) =>
    method === 'google' || method === 'apple' ? features[method] : true,
  );
}
