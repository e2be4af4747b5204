import { type OnApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { JobLogger } from '../jobs/job.logger.js';
import { renderMail } from '../mail/mail.layout.js';
import { MailOutbox } from '../mail/mail.outbox.js';
import { WakingLoop } from '../mail/waking.loop.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { ForumFollowersRepository } from './forum.followers.repository.js';
import { plainText } from './forum.markdown.js';

const everyMs = 10_000;
/** News of a thread that waits longer for the mail server is of no use. */
const keptMs = 86_400_000;
const purpose = 'forum.unsubscribe';

const excerptCharacters = 200;

/** The first words of a reply, as plain text. */
function beginningOf(html: string): string {
  const text = [...plainText(html)];
  return text.length > excerptCharacters ? `${text.slice(0, excerptCharacters).join('')}…` : text.join('');
}

/** Mail about replies to the participants of a thread, gathered to at most one an hour per thread. */
@Injectable()
export class ForumMails implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new WakingLoop(
    new JobLogger('Community mail', 'community-mail'),
    'Mail about the community',
    async () => {
      await this.queueDue();
      return everyMs;
    },
  );

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly followers: ForumFollowersRepository,
    private readonly outbox: MailOutbox,
    private readonly secrets: SecretsService,
  ) {}

  onApplicationBootstrap(): void {
    if (this.outbox.isConfigured) this.loop.wake();
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** Queues the mails that are due. */
  async queueDue(): Promise<void> {
    const expiresAt = new Date(Date.now() + keptMs);
    await this.followers.takeDue(async (manager, mails) => {
      for (const { email, postId, userId, replies, title, latest } of mails) {
        if (email === null) continue;
        const unsubscribe = `${this.environment.PUBLIC_URL}/api/forum/unsubscribe?token=${this.tokenOf(postId, userId)}`;
        const news = replies === 1 ? 'A new reply' : `${replies} new replies`;
        const content = renderMail({
          title: `${news} to ‘${title}’`,
          preview: 'In the community of Orange ID',
          before: latest === null ? [] : [`${latest.author} replied:`, beginningOf(latest.html)],
          button: {
            href: `${this.environment.PUBLIC_URL}/community/posts/${postId}`,
            text: 'Open the thread',
          },
          after: [
            'You get at most one such email an hour for each thread.',
            { href: unsubscribe, text: 'Mute this thread' },
          ],
        });
        const account = { userId, until: 'deleted' } as const;
        await this.outbox.put(manager, { to: email, ...content, unsubscribe, account, expiresAt });
      }
    });
  }

  /** Which thread and user a link of a mail is about; null if this portal did not make it. */
  read(token: string): { postId: string; userId: string } | null {
    const [postId = '', userId = '', given = ''] = token.split('.');
    const sent = Buffer.from(given, 'base64url');
    const isOurs = this.secrets.versions.some((version) => {
      const made = this.secrets.lookupHash(purpose, `${postId}.${userId}`, version);
      return made.length === sent.length && timingSafeEqual(made, sent);
    });
    return isOurs ? { postId, userId } : null;
  }

  private tokenOf(postId: string, userId: string): string {
    const key = `${postId}.${userId}`;
    return `${key}.${this.secrets.lookupHash(purpose, key).toString('base64url')}`;
  }
}
