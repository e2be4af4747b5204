import { expect, type Page } from '@playwright/test';

/** `/dev/mailbox`: every mail of this portal, the newest first. */
export class MailboxPage {
  constructor(readonly page: Page) {}

  /** The mails to an address with that subject, the newest first. */
  mails(to: string, subject: string) {
    return this.page
      .getByRole('article')
      .filter({ hasText: `To ${to},` })
      .filter({ has: this.page.getByRole('heading', { name: subject }) });
  }

  /** Opens the link of the newest mail to an address with that subject; waits for the mail to be there. */
  async openLink(to: string, subject: string): Promise<void> {
    await expect(async () => {
      await this.page.goto('/dev/mailbox');
      await expect(this.mails(to, subject).first()).toBeVisible({ timeout: 500 });
    }).toPass();
    const mail = this.mails(to, subject).first().locator('iframe').contentFrame();
    await mail.getByRole('link').first().click();
  }
}
