import type { PublicConfig } from '@orange-id/contract/config.schema';
import { createContext, useContext } from 'react';

export const ConfigContext = createContext<PublicConfig | null>(null);

/** What `GET /api/config` answered; the app renders nothing that needs it before it is there. */
export function useConfig(): PublicConfig {
  const config = useContext(ConfigContext);
  if (!config) throw new Error('useConfig needs a ConfigContext.Provider above it');
  return config;
}
