import { Logger } from '@nestjs/common';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PortalError } from '../../http/portal.error.js';
import { PictureStore, storeDown } from './picture.store.js';

/** Photos as files of one folder, created with the first one. */
export class FolderStore extends PictureStore {
  private readonly logger = new Logger('Pictures');

  constructor(private readonly folder: string) {
    super();
  }

  put(name: string, bytes: Buffer): Promise<void> {
    return this.orUnavailable(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const path = this.pathOf(name);
      const unfinished = `${path}.part`;
      try {
        await writeThrough(unfinished, bytes);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished).catch(() => undefined);
        throw error;
      }
      // The name survives a power failure only if its folder was synced too.
      await syncFolder(this.folder);
    });
  }

  read(name: string): Promise<Buffer | null> {
    return this.orUnavailable(async () => {
      try {
        return await readFile(this.pathOf(name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    });
  }

  remove(name: string): Promise<void> {
    return this.orUnavailable(async () => {
      await rm(this.pathOf(name), { force: true });
      await rm(`${this.pathOf(name)}.part`, { force: true });
    });
  }

  private pathOf(name: string): string {
    return join(this.folder, `${name}.webp`);
  }

  /** The operator must fix a full disk or an unwritable folder; users get the advice to try again. */
  private async orUnavailable<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (cause) {
      this.logger.error(`the folder ${this.folder} cannot be used: ${(cause as Error).message}`);
      throw new PortalError('profile.unavailable', { message: storeDown, cause });
    }
  }
}

async function writeThrough(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
