import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { providerTitles } from '@orange-id/contract/sign-in.methods';
import { escapeHtml } from '../http/escape.html.js';
import { plainPage } from '../http/notice.page.js';
import type { BuiltInAccount } from './built-in.accounts.js';

/**
 * The page of the built-in provider on which a user enters an identity; `problem` says what was wrong with the previous
 * submission.
 */
export function accountPage(page: {
  provider: ProviderName;
  action: string;
  accounts: readonly BuiltInAccount[];
  problem?: string;
}): string {
  const title = `Built-in ${providerTitles[page.provider]}`;
  const action = escapeHtml(page.action);
  const known = page.accounts.map(
    ({ subject, email, name, isEmailVerified }) => `
      <form method="post" action="${action}">
        <input type="hidden" name="account" value="${escapeHtml(subject)}">
        <button type="submit" class="quiet">${escapeHtml(name ? `${name}, ${email}` : email)}${
          isEmailVerified ? '' : ' (not verified)'
        }</button>
      </form>`,
  );
  const main = `
      <p>This page replaces ${providerTitles[page.provider]}’s sign-in until the portal has ${providerTitles[page.provider]} credentials. It accepts any account and is unavailable in production.</p>
      ${page.problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(page.problem)}</p>`}
      ${known.length > 0 ? `<h2>Choose an account</h2>${known.join('')}<h2>Or use another account</h2>` : ''}
      <form method="post" action="${action}">
        <label for="email">Email</label>
        <input id="email" name="email" type="email" autocomplete="off" required>
        <label for="name">Name</label>
        <input id="name" name="name" type="text" autocomplete="off">
        <label class="check"><input type="checkbox" name="verified" value="yes" checked> ${providerTitles[page.provider]} has verified this email</label>
        <button type="submit">Continue</button>
      </form>
      <form method="post" action="${action}">
        <input type="hidden" name="cancel" value="yes">
        <button type="submit" class="quiet">Cancel</button>
      </form>`;
  return plainPage(title, main);
}
