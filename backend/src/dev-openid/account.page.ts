import type { ProviderName } from '@orange-id/contract/identity.schema';
import { escapeHtml } from '../http/escape.html.js';
import { plainPage } from '../identity/notice.page.js';
import type { BuiltInAccount } from './built-in.accounts.js';

const style = `
input[type=checkbox] { width: auto; margin-right: 8px; }
h2 { margin: 24px 0 0; font-size: 14px; }
form + form { margin-top: 4px; }
`;

const titles: Record<ProviderName, string> = { google: 'Google', apple: 'Apple' };

/** The page on which a person says who they are at the built-in provider; `problem` is what was wrong the last time. */
export function accountPage(page: {
  provider: ProviderName;
  action: string;
  accounts: readonly BuiltInAccount[];
  problem?: string;
}): string {
  const title = `Built-in ${titles[page.provider]}`;
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
      <style>${style}</style>
      <p>This stands in for ${titles[page.provider]} while the portal has no credentials there. It believes whatever you say, and does not exist in production.</p>
      ${page.problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(page.problem)}</p>`}
      ${known.length > 0 ? `<h2>Choose an account</h2>${known.join('')}<h2>Or use another one</h2>` : ''}
      <form method="post" action="${action}">
        <label for="email">E-mail</label>
        <input id="email" name="email" type="email" autocomplete="off" required>
        <label for="name">Name</label>
        <input id="name" name="name" type="text" autocomplete="off">
        <label class="check"><input type="checkbox" name="verified" value="yes" checked> ${titles[page.provider]} has verified this e-mail</label>
        <button type="submit">Continue</button>
      </form>
      <form method="post" action="${action}">
        <input type="hidden" name="cancel" value="yes">
        <button type="submit" class="quiet">Cancel</button>
      </form>`;
  return plainPage(title, main);
}
