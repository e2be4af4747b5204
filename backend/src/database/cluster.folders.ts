import { readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootHome } from './postgres.binaries.js';

/**
 * A file system in memory. On ext4, each new file skips the inodes deleted in the last minutes, so while tests drop
 * databases a new one takes 0.3 s instead of 0.03 s.
 */
const memory = '/dev/shm';
/** More than all databases of a test run need. In a container, `/dev/shm` has 64 MB by default. */
const memoryMinBytes = 4 * 1024 ** 3;

/** Clusters of portals that run as root. */
export const rootClusters = join(rootHome, 'clusters');

/** Folders of an embedded database. */
export interface ClusterFolders {
  /** Its files and its log. */
  home: string;
  /** Its Unix socket. */
  socket: string;
}

/**
 * Folders of the database with this id, which belongs to a data folder. A portal that runs as root keeps its files
 * outside, where the unprivileged user of PostgreSQL can read them. A throwaway database is in memory if there is
 * enough.
 */
export function clusterFolders(
  id: string,
  { dataDir, asRoot, throwaway = false }: { dataDir: string; asRoot: boolean; throwaway?: boolean },
): ClusterFolders {
  const name = `orange-portal-${id}`;
  const home = asRoot ? join(rootClusters, id) : dataDir;
  return { home: throwaway && hasMemory() ? join(memory, name) : home, socket: join(tmpdir(), name) };
}

/** Removes the data folder of a stopped portal, and the files that its database keeps elsewhere. */
export function removeDataFolder(dataDir: string): void {
  const id = idIn(dataDir);
  if (id !== null) {
    const name = `orange-portal-${id}`;
    const elsewhere = [join(memory, name), join(rootClusters, id), join(tmpdir(), name)];
    for (const folder of elsewhere) rmSync(folder, { recursive: true, force: true });
  }
  rmSync(dataDir, { recursive: true, force: true });
}

function idIn(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, 'cluster.id'), 'utf8').trim();
  } catch {
    return null;
  }
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= memoryMinBytes;
  } catch {
    return false;
  }
}
