import {
  createdExport,
  type CreatedExport,
  type CreateExport,
} from '@orange-id/contract/usage.export.schema';
import { http } from '../http';

/**
 * `POST /api/usage/exports`, then starts the download from the returned URL, which works once and only in this browser.
 * Resolves when the browser has taken over the URL; the browser itself shows the progress. Throws `HttpError`.
 */
export async function exportUsage(request: CreateExport): Promise<CreatedExport> {
  const created = await http({
    path: '/api/usage/exports',
    method: 'POST',
    body: request,
    schema: createdExport,
  });
  const link = document.createElement('a');
  link.href = created.url;
  link.download = created.fileName;
  link.click();
  return created;
}
