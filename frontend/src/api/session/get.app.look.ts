import { servedAppearance } from '@orange-id/contract/appearance.schema';
import type { Appearance } from '@orange-id/contract/appearance';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../cache/query.keys';
import { http } from '../http';

/** How long the sign-in page waits for an app's look, in ms. */
const waitMs = 1_500;

/** `GET /api/v1/auth/appearance`: how a project's login panel looks. The panel shows the default if this fails. */
export function useAppLook(projectId: string | null) {
  const { data, isLoading } = useQuery({
    queryKey: [...queryKeys.appLook, projectId],
    queryFn: async ({ signal }) => {
      const { appearance } = await http({
        path: `/api/v1/auth/appearance?subscription-key=${encodeURIComponent(projectId ?? '')}`,
        token: null,
        schema: servedAppearance,
        signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]),
      });
      return safeLook(appearance);
    },
    enabled: projectId !== null,
    retry: false,
  });
  return { look: data ?? null, isLoading };
}

/** Without pictures of other sites, which would see the visit, and without a picture beside the panel. */
function safeLook(look: Appearance): Appearance {
  const own = (picture: string) => (picture.startsWith('/pictures/') ? picture : '');
  const { light, dark, alt } = look.logo;
  return { ...look, logo: { light: own(light), dark: own(dark), alt }, layout: 'card', picture: '' };
}
