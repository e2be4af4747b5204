import { appearanceHistory, uploadedPicture } from '@orange-id/contract/appearance.schema';
import type { AppearanceHistory, SaveAppearance } from '@orange-id/contract/appearance.schema';
import { z } from 'zod';
import { http } from '../http';

const pathOf = (code: string): string => `/api/projects/${code}/appearance`;

/** `GET /api/projects/:code/appearance`: the saved looks of a project's login panel, newest first. */
export const getAppearance = (code: string): Promise<AppearanceHistory> =>
  http({ path: pathOf(code), schema: appearanceHistory });

/** `PUT /api/projects/:code/appearance`. `HttpError` with `appearance.changed` if another save came first. */
export const putAppearance = (code: string, save: SaveAppearance): Promise<{ version: number }> =>
  http({
    path: pathOf(code),
    method: 'PUT',
    body: save,
    schema: z.object({ version: z.number() }),
  });

/** `POST /api/projects/:code/appearance/picture`: the path of the re-encoded picture. */
export async function uploadAppearancePicture(code: string, file: Blob): Promise<string> {
  const body = new FormData();
  body.append('file', file);
  const { picture } = await http({
    path: `${pathOf(code)}/picture`,
    method: 'POST',
    body,
    schema: uploadedPicture,
    // A megabyte over a slow network.
    timeoutMs: 120_000,
  });
  return picture;
}
