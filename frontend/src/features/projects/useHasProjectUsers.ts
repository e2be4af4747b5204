import { useConfig } from '../../api/config/config.context';

/** Whether projects are tenants of this portal: not with a hosted identity or project service. */
export function useHasProjectUsers(): boolean {
  const { features, identity, publicUrl } = useConfig();
  return features.embeddedProjects && identity.baseUrl === publicUrl;
}
