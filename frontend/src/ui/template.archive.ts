import type { IntegratedApp } from '@orange-id/contract/integration.snippets';
import { projectCodePattern } from '@orange-id/contract/projects.schema';
import { strToU8, zipSync } from 'fflate';
import { templateFiles } from './template.files';

const folder = 'orange-id-app';

/** The template project as a zip file, with the values of a project in its `.env`. */
export function templateArchive({ portalUrl, projectId }: IntegratedApp): Uint8Array<ArrayBuffer> {
  if (!projectCodePattern.test(projectId)) throw new Error(`${JSON.stringify(projectId)} is no project ID`);
  const settings = {
    VITE_PORTAL_URL: new URL(portalUrl).origin,
    VITE_PROJECT_ID: projectId,
    APP_ORIGINS: 'http://localhost:5173',
  };
  const env = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  const files = Object.entries({ ...templateFiles, '.env': env.join('') });
  return zipSync(Object.fromEntries(files.map(([path, text]) => [`${folder}/${path}`, strToU8(text)])));
}
