import { Inject, Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { defaultAvatar } from '@orange-id/contract/avatar.rule';
import { DataSource, EntityManager } from 'typeorm';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { addressKey } from '../../http/address.key.js';
import { isDatabaseDown } from '../../http/error.filter.js';
import { JobLogger } from '../../jobs/job.logger.js';
import { PortalError } from '../../http/portal.error.js';
import { holdAccount } from '../../auth/account.locks.js';
import { embeddedIssuer } from '../../auth/user.entity.js';
import { newPictureName, PictureStore } from './picture.store.js';

const sweptEveryMs = 3_600_000;
/** Longer than an upload can take from its row to its commit. */
const unusedForMinutes = 10;

/**
 * The photos of profiles. A row exists in `pictures` from before the file is stored until after it is removed, so that
 * leftovers of a crash can be found: photos unused for ten minutes are removed at start and every hour. A file is
 * removed only after the change that replaces it has committed.
 */
@Injectable()
export class PicturesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Pictures');
  private readonly sweeps = new JobLogger('Pictures', 'unused-photos');
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'PUBLIC_URL'>,
    private readonly dataSource: DataSource,
    private readonly store: PictureStore,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.moveToPublicUrl();
    this.timer = setInterval(() => this.sweepLater(), sweptEveryMs).unref();
    this.sweepLater();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /**
   * Makes `bytes`, a WebP, the photo of an account; resolves to its URL. Of several concurrent uploads the last to
   * commit stays. Throws `profile.unavailable` if it cannot be stored; the account then keeps its previous photo.
   */
  async change(userId: string, bytes: Buffer): Promise<string> {
    const name = newPictureName();
    await this.dataSource.query('insert into pictures (name, user_id) values ($1, $2)', [name, userId]);
    await this.store.put(name, bytes, userId);
    const address = this.addressOf(name);
    const replaced = await this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, userId);
      const before = await this.release(manager, userId);
      const [, kept] = (await manager.query(
        'update pictures set in_use = true, changed_at = now() where name = $1',
        [name],
      )) as [unknown, number];
      // It was stored so slowly that the sweep removed it as a leftover.
      if (kept === 0) throw new PortalError('server.busy');
      await setAddress(manager, userId, address);
      return before;
    });
    await this.removeSoon(replaced);
    return address;
  }

  /** Gives an account a photo hosted elsewhere, or none; removes its previous upload. */
  async changeElsewhere(userId: string, address: string | null): Promise<void> {
    const replaced = await this.dataSource.transaction(async (manager) => {
      await holdAccount(manager, userId);
      const before = await this.release(manager, userId);
      await setAddress(manager, userId, address);
      return before;
    });
    await this.removeSoon(replaced);
  }

  /** Gives an account the default photo; resolves to its URL. */
  async reset(userId: string): Promise<string> {
    const address = `${this.environment.PUBLIC_URL}${defaultAvatar.path}`;
    await this.changeElsewhere(userId, address);
    return address;
  }

  /** The photo of that name, as WebP; null if there is none. */
  read(name: string, clientAddress: string): Promise<Buffer | null> {
    return this.store.read(name, addressKey(clientAddress));
  }

  /**
   * Removes photos unused for `minutes`; resolves to their number. Several instances may run it at once. An upload that
   * is about to use a photo either finds its row deleted, or locks the row first and keeps the photo.
   */
  async sweep(minutes = unusedForMinutes): Promise<number> {
    const rows: { name: string }[] = await this.dataSource.query(
      `select name from pictures
         where (not in_use or user_id is null) and changed_at < now() - make_interval(mins => $1)
         order by changed_at limit 1000`,
      [minutes],
    );
    for (const { name } of rows) await this.remove(name);
    return rows.length;
  }

  private addressOf(name: string): string {
    return `${this.environment.PUBLIC_URL}/pictures/${name}.webp`;
  }

  /** Marks the photos of an account as unused; the caller, which has locked the account, sets the replacement. */
  private async release(manager: EntityManager, userId: string): Promise<string[]> {
    const [rows] = (await manager.query(
      'update pictures set in_use = false, changed_at = now() where user_id = $1 and in_use returning name',
      [userId],
    )) as [{ name: string }[], number];
    return rows.map(({ name }) => name);
  }

  /** Deletes the row and the file together or not at all, and keeps the row locked in between. */
  private async remove(name: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [rows] = (await manager.query(
        'delete from pictures where name = $1 and (not in_use or user_id is null) returning name',
        [name],
      )) as [unknown[], number];
      if (rows.length > 0) await this.store.remove(name);
    });
  }

  /** The change has committed: the next sweep removes what cannot be removed now. */
  private async removeSoon(names: string[]): Promise<void> {
    for (const name of names) {
      try {
        await this.remove(name);
      } catch (error) {
        this.logger.warn(
          `removing the replaced photo ${name} failed, trying again within an hour: ${String(error)}`,
        );
      }
    }
  }

  private sweepLater(): void {
    this.sweeping = this.sweeping.then(async () => {
      this.sweeps.begin();
      try {
        const swept = await this.sweep();
        if (swept > 0) this.sweeps.log(`removed ${swept} unused photos`);
      } catch (error) {
        // A database outage is logged by the code that serves requests.
        if (!isDatabaseDown(error)) {
          this.sweeps.failed('removing unused photos failed, trying again in an hour', error, {
            level: 'warn',
          });
        }
      }
    });
  }

  /** Photo URLs follow the portal when its address changes. */
  private async moveToPublicUrl(): Promise<void> {
    await this.dataSource.query(
      `update users set profile_image_url = $1 || pictures.name || '.webp'
         from pictures
         where pictures.in_use and pictures.user_id = users.id
           and users.profile_image_url like '%/pictures/' || pictures.name || '.webp'
           and users.profile_image_url <> $1 || pictures.name || '.webp'`,
      [`${this.environment.PUBLIC_URL}/pictures/`],
    );
    await this.dataSource.query(
      `update users set profile_image_url = $1 || $2
         where issuer = $3 and profile_image_url ~ '^https?://[^/]+/[^/]+$'
           and profile_image_url like '%' || $2 and profile_image_url <> $1 || $2`,
      [this.environment.PUBLIC_URL, defaultAvatar.path, embeddedIssuer],
    );
  }
}

const setAddress = (manager: EntityManager, userId: string, address: string | null): Promise<unknown> =>
  manager.query('update users set profile_image_url = $2, updated_at = now() where id = $1', [
    userId,
    address,
  ]);
