import { expect, type Page } from '@playwright/test';

/** `/dev/mailbox`: every email of this portal, newest first. */
export class MailboxPage {
  constructor(readonly page: Page) {}

  /** The emails to an address with that subject, newest first. */
  mails(to: string, subject: string) {
    return this.page
      .getByRole('article')
      .filter({ hasText: `To ${to},` })
      .filter({ has: this.page.getByRole('heading', { name: subject }) });
  }

  /** Waits for an email to an address with that subject, and opens the link of the newest. */
  async openLink(to: string, subject: string): Promise<void> {
    await expect(async () => {
      await this.page.goto('/dev/mailbox');
      await expect(this.mails(to, subject).first()).toBeVisible({ timeout: 500 });
    }).toPass();
    const mail = this.mails(to, subject).first().locator('iframe').contentFrame();
    await mail.getByRole('link').first().click();
  }
}
