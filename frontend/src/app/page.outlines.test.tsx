import { beforeEach, expect, test } from '@jest/globals';
import { appRoutes, type AppPage } from '@orange-id/contract/app.routes';
import { openAs, stopDate, type Account } from '../testing/accounts';
import { answerLive } from '../testing/live.connection';
import { pageOutline } from '../testing/page.outline';

const withoutData = ['/orange-id', '/api'];

const pages: Record<string, AppPage | undefined> = appRoutes;

function accountsOf(path: string): Account[] {
  if (path === '/' || path === '/no-such-page' || pages[path]?.access === 'public') return ['visitor'];
  if (withoutData.includes(path)) return ['full account'];
  const others: Account[] = ['new account', 'errors', 'no responses'];
  // The editor of a full account is in a frame, which does not load here.
  return path === '/customisation' ? others : ['full account', ...others];
}

beforeEach(() => {
  stopDate();
  answerLive();
});

test.each(
  [...Object.keys(appRoutes), '/login?from=profile', '/no-such-page'].flatMap((path) =>
    accountsOf(path).map((account) => [path, account] as const),
  ),
)('%s (%s) has the content of its snapshot', async (path, account) => {
  await openAs(path, account);
  // The shell is the same around each page.
  const isWhole = path === '/' || (path === '/dashboard' && account === 'full account');
  const main = isWhole ? document.body : document.querySelector('main');
  expect([document.title, ...pageOutline(main as Element)].join('\n')).toMatchSnapshot();
});
