import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import type {
  AppearanceHistory,
  SaveAppearance,
  ServedAppearance,
} from '@orange-id/contract/appearance.schema';
import { limits } from '@orange-id/contract/limits';
import { projectCodePattern } from '@orange-id/contract/projects.schema';
import { waitInWords } from '@orange-id/contract/wait.text';
import { holdActiveSession, type SignedIn } from '../auth/account.locks.js';
import { AttemptLimiter } from '../http/attempt.limiter.js';
import { isDatabaseDown } from '../http/error.filter.js';
import type { SentFile } from '../http/file.body.js';
import { JobLogger } from '../jobs/job.logger.js';
import { PortalError } from '../http/portal.error.js';
import { SharedAnswers } from '../http/shared.answers.js';
import { PictureConverter } from '../profile/pictures/picture.converter.js';
import { newPictureName, PictureStore } from '../profile/pictures/picture.store.js';
import { acceptPicture } from '../profile/pictures/picture.type.js';
import { ProjectChanges } from '../realtime/project.changes.js';
import { AppearanceRepository } from './appearance.repository.js';

const sweptEveryMs = 3_600_000;
const uploaded = /^\/pictures\/([0-9a-f]{32})\.webp$/;

/** The appearance of projects: saved in versions, in force on every instance from the commit. */
@Injectable()
export class AppearanceService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new JobLogger('Appearance', 'unused-pictures');
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();
  /** Anybody may ask, as often as they like: one query per project at a time answers all. */
  private readonly reads = new SharedAnswers<ServedAppearance | null>(0);
  private readonly saves = new AttemptLimiter(
    limits.projectsChangedPerHour,
    3_600_000,
    (seconds) => `Too many saves. Try again in ${waitInWords(seconds)}`,
  );
  private readonly uploads = new AttemptLimiter(
    limits.pictureChangesPerHour,
    3_600_000,
    (seconds) => `Too many uploads. Try again in ${waitInWords(seconds)}`,
  );

  constructor(
    private readonly rows: AppearanceRepository,
    private readonly converter: PictureConverter,
    private readonly store: PictureStore,
    private readonly projectChanges: ProjectChanges,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.sweepLater(), sweptEveryMs).unref();
    this.sweepLater();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** The kept versions, newest first. Throws `project.notFound`, also for another owner's project. */
  async history(ownerId: string, code: string): Promise<AppearanceHistory> {
    const projectId = await this.requireProject(ownerId, code);
    const versions = await this.rows.versions(projectId);
    return { versions: versions.map((row) => ({ ...row, savedAt: row.savedAt.toISOString() })) };
  }

  /**
   * Saves the next version. Throws `project.notFound`, `appearance.changed` if another save came first,
   * `appearance.pictureUnknown` for a picture that was not uploaded for this project, and `request.rateLimited`.
   */
  async save(caller: SignedIn, code: string, { base, appearance, preview }: SaveAppearance): Promise<number> {
    const { id: savedBy } = caller.user;
    this.saves.take(savedBy);
    if (!projectCodePattern.test(code)) throw new PortalError('project.notFound');
    const version = await this.rows.transaction(async (manager) => {
      await holdActiveSession(manager, caller);
      const projectId = await this.rows.lockProject(manager, savedBy, code);
      if (projectId === null) throw new PortalError('project.notFound');
      const current = await this.rows.currentVersion(manager, projectId);
      if (current !== base) throw new PortalError('appearance.changed');
      const names = picturesOf(appearance);
      const known = await this.rows.holdPictures(manager, projectId, names);
      if (known.length < names.length) throw new PortalError('appearance.pictureUnknown');
      await this.rows.add(manager, { projectId, version: current + 1, appearance, preview, savedBy });
      return current + 1;
    });
    this.projectChanges.emit(savedBy, { projectId: code, kind: 'updated' });
    return version;
  }

  /** What the panel of a project shows: the newest version, or the default as version 0. */
  async served(projectId: string | null): Promise<ServedAppearance> {
    const current =
      projectId === null ? null : await this.reads.get(projectId, () => this.rows.current(projectId));
    return current ?? { version: 0, appearance: defaultAppearance };
  }

  /** Counts an upload before its body is read; throws `request.rateLimited`. */
  admitUpload(ownerId: string): void {
    this.uploads.take(ownerId);
  }

  /**
   * Stores a re-encoded picture for the project's appearance and resolves to its path. Throws `project.notFound`,
   * `appearance.picturesLimitReached`, `profile.pictureInvalid`, `profile.pictureTooLarge`, `profile.unavailable` and
   * `server.busy`.
   */
  async upload(caller: SignedIn, code: string, file: SentFile): Promise<string> {
    await this.requireProject(caller.user.id, code);
    const bytes = await this.converter.convert(file.bytes, acceptPicture(file), 'inside');
    const name = newPictureName();
    await this.rows.transaction(async (manager) => {
      await holdActiveSession(manager, caller);
      const projectId = await this.rows.lockProject(manager, caller.user.id, code);
      if (projectId === null) throw new PortalError('project.notFound');
      const { ofProject, ofOwner } = await this.rows.countPictures(manager, projectId, caller.user.id);
      if (ofProject >= limits.picturesPerProject || ofOwner >= limits.picturesPerOwner) {
        throw new PortalError('appearance.picturesLimitReached');
      }
      await this.rows.addPicture(manager, name, projectId);
    });
    await this.store.put(name, bytes, caller.user.id);
    return `/pictures/${name}.webp`;
  }

  /** Removes pictures that nothing shows; resolves to their number. Several instances may run it at once. */
  async sweep(): Promise<number> {
    return this.rows.transaction(async (manager) => {
      const names = await this.rows.unusedPictures(manager, null);
      for (const name of names) {
        await this.store.remove(name);
        await this.rows.deletePicture(manager, name);
      }
      return names.length;
    });
  }

  private sweepLater(): void {
    this.sweeping = this.sweeping.then(async () => {
      this.logger.begin();
      try {
        await this.sweep();
      } catch (error) {
        // A database outage is logged by the code that serves requests.
        if (!isDatabaseDown(error)) {
          this.logger.failed('removing unused pictures failed, trying again in an hour', error, {
            level: 'warn',
          });
        }
      }
    });
  }

  private async requireProject(ownerId: string, code: string): Promise<string> {
    const id = projectCodePattern.test(code) ? await this.rows.projectOf(ownerId, code) : null;
    if (id === null) throw new PortalError('project.notFound');
    return id;
  }
}

/** The names of the uploaded pictures in an appearance. */
function picturesOf({ logo, picture }: Appearance): string[] {
  const names = [logo.light, logo.dark, picture].map((path) => uploaded.exec(path)?.[1] ?? null);
  return [...new Set(names.filter((name) => name !== null))];
}
