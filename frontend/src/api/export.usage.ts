import {
  createdExport,
  type CreatedExport,
  type CreateExport,
} from '@orange-id/contract/usage.export.schema';
import { http } from './http';

/**
 * `POST /api/usage/exports`, then the download of the address it answers, which gives the file once and only to this
 * browser. Resolves when the browser has taken the address; how the download goes on is the browser's to show. Throws
 * `HttpError`.
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
