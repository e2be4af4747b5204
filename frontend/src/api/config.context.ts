import type { PublicConfig } from '@orange-id/contract/config.schema';
import { createContext, useContext } from 'react';

export const ConfigContext = createContext<PublicConfig | null>(null);

/** The response of `GET /api/config`. Components that need it render only after it has loaded. */
export function useConfig(): PublicConfig {
  const config = useContext(ConfigContext);
  if (!config) throw new Error('useConfig needs a ConfigContext.Provider above it');
  return config;
}
