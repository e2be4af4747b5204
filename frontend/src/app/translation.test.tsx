import { beforeEach, expect, jest, test } from '@jest/globals';
import { appRoutes, type AppPage } from '@orange-id/contract/app.routes';
import { http, HttpResponse } from 'msw';
import { openAs, stopDate } from '../testing/accounts';
import { answerLive } from '../testing/live.connection';
import { network } from '../testing/network';
import { translateTexts } from '../testing/translated.text';
import { rendered } from '../testing/turn.channel';

beforeEach(() => {
  stopDate();
  answerLive();
});

const pages: Record<string, AppPage | undefined> = appRoutes;
const paths = [...Object.keys(appRoutes), '/usage?call=1', '/login?from=profile', '/no-such-page'];

/** The errors that React logs when it looks for a text node that the translation has replaced. */
function watchLostNodes(): string[] {
  const errors: string[] = [];
  jest.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => {
    const text = parts.map(String).join(' ');
    if (text.includes('NotFoundError')) errors.push(text.split('\n')[0]!);
  });
  return errors;
}

test.each(paths)('a browser can translate %s, whatever button is pressed', async (path) => {
  const isPublic = path === '/no-such-page' || pages[path]?.access === 'public';
  const errors = watchLostNodes();
  // The editor of a full account is in a frame, which does not load here.
  const account = path === '/customisation' ? 'new account' : 'full account';
  const portal = await openAs(path, isPublic ? 'visitor' : account);
  const accept = () => HttpResponse.json({});
  network.use(
    http.post('*', accept),
    http.put('*', accept),
    http.patch('*', accept),
    http.delete('*', accept),
  );
  const start = portal.address();
  expect(translateTexts()).toBeGreaterThan(0);
  for (const button of document.querySelectorAll<HTMLElement>('button, [role=tab]')) {
    if (!button.isConnected) continue;
    const name = button.getAttribute('aria-label') ?? button.textContent;
    await portal.user.click(button);
    await rendered();
    translateTexts();
    if (document.querySelector('[role=dialog], [role=menu]')) await portal.user.keyboard('{Escape}');
    expect([name, ...errors]).toEqual([name]);
    if (portal.address() !== start) break;
  }
});
