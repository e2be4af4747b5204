import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { lstat, rm, rmdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system with little space. */
export interface SmallDisk {
  /** Its folder: readable by all users, writable by root and the owners of its subfolders. */
  path: string;
  /** Uses up all free space. */
  fill(): void;
  /** Frees it again. */
  free(): void;
  /** Moves a folder there, keeping its owner, and leaves a link in its place. */
  take(folder: string, name: string): Promise<void>;
  remove(): Promise<void>;
}

/** Why no small disk can be created here; null if it can. */
export function noSmallDiskBecause(): string | null {
  if (process.platform !== 'linux') return `tmpfs cannot be mounted on ${process.platform}`;
  try {
    const disk = mount(1);
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
    return null;
  } catch (error) {
    return `this user may not mount a file system (${(error as Error).message.trim().split('\n').at(-1)})`;
  }
}

export function makeSmallDisk(megabytes: number): SmallDisk {
  const path = mount(megabytes);
  const ballast = join(path, 'ballast');
  return {
    path,
    fill: () => {
      const file = openSync(ballast, 'a');
      for (let size = 1_048_576; size >= 4096; size = hasWritten(file, size) ? size : size / 2);
      closeSync(file);
    },
    free: () => rmSync(ballast),
    take: async (folder, name) => {
      const place = join(path, name);
      execFileSync('cp', ['-a', folder, place]);
      await rm(folder, { recursive: true });
      await symlink(place, folder);
      const { uid, gid } = await lstat(place);
      execFileSync('chown', ['-h', `${uid}:${gid}`, folder]);
    },
    remove: async () => {
      execFileSync('umount', [path], { stdio: 'pipe' });
      await rmdir(path);
    },
  };
}

function hasWritten(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

function mount(megabytes: number): string {
  const path = mkdtempSync(join(tmpdir(), 'portal-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', path], {
      stdio: 'pipe',
    });
  } catch (error) {
    rmSync(path, { recursive: true });
    throw error;
  }
  return path;
}
