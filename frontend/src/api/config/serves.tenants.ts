import type { PublicConfig } from '@orange-id/contract/config.schema';

/** Whether apps sign in with this portal. A hosted identity or project service manages its own apps. */
export const servesTenants = ({ identity, features, publicUrl }: PublicConfig): boolean =>
  identity.baseUrl === publicUrl && features.embeddedProjects;
