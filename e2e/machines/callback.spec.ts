import { limits } from '@orange-id/contract/limits';
import { markTab } from '@orange-id/contract/tab.marker';
import { expect, type Route } from '@playwright/test';
import { machineTest as test } from '../fixtures/machine';
import { storedIn } from '../fixtures/session';
import { unsignedToken } from '../fixtures/token';
import { LoginPage } from '../pages/login.page';

/** The storage entry of a tab that has started one sign-in, and the value of its marker. */
function tabMark(now: number): { name: string; text: string; value: string } {
  const storage: Record<string, string> = {};
  const value = markTab(now, storage);
  const [[name, text]] = Object.entries(storage) as [[string, string]];
  return { name, text, value };
}

test('the callback shows each failure of a sign-in for 3 seconds, and stores nothing', async ({
  page,
  machine,
}) => {
  const callback = machine('callback');
  const status = (code: number, json: object) => (route: Route) => route.fulfill({ status: code, json });
  const down = (route: Route) => route.abort();
  let preview: (route: Route) => Promise<void> = down;
  let verify: (route: Route) => Promise<void> = down;
  await page.route('**/api/auth/bedrock', (route) =>
    route.request().method() === 'GET' ? preview(route) : verify(route),
  );
  await page.clock.install();
  await new LoginPage(page).goto();
  // The clock is paused, so that on a busy machine the 3 s do not end before the test acts.
  await page.clock.pauseAt(Date.now() + 60_000);

  /** Navigates to the callback within the page, as a link of the portal would. */
  const comeBack = async (query: Record<string, string>, isBegunHere = false) => {
    const mark = tabMark(await page.evaluate(() => Date.now()));
    const given = new URLSearchParams({ ...query, ...(isBegunHere ? { tab: mark.value } : {}) });
    await page.evaluate(
      ([address, name, text]) => {
        if (name) sessionStorage.setItem(name, text);
        history.pushState(null, '', address);
        dispatchEvent(new PopStateEvent('popstate', { state: null }));
      },
      [`/auth/callback?${given}`, isBegunHere ? mark.name : '', mark.text] as const,
    );
  };
  const unanswered = 'The server couldn’t be reached. Check your connection and try again.';
  const tryAgain = async () => {
    await callback.is('failed');
    await page.getByRole('button', { name: 'Try again' }).click();
  };
  const expectFailure = async (reason: string) => {
    await callback.is('failed');
    const next = reason === unanswered ? 'Try againSign in again' : 'Sign in again';
    await expect(page.locator('[data-machine="callback"]')).toHaveText(
      `Authentication failed${reason}Redirecting back to login...${next}`,
    );
    await page.clock.runFor(limits.callbackFailureMs);
    await callback.is('left');
    await expect(page).toHaveURL('/login');
    expect(await storedIn(page)).toEqual({});
  };
  const token = unsignedToken(Date.now() + 3_600_000);
  const tokens = { token, refreshToken: 'brought' };

  await comeBack({ token });
  await expectFailure('Missing token or refreshToken in URL parameters');
  await comeBack(tokens);
  await tryAgain();
  await expectFailure(unanswered);
  preview = status(401, { statusCode: 401, message: 'Unknown' });
  await comeBack(tokens);
  await expectFailure('Login callback failed');
  preview = status(200, { identifiers: [], createdAt: null });
  await comeBack(tokens);
  await callback.is('asking');
  await page.getByRole('button', { name: 'Continue' }).click();
  await tryAgain();
  await expectFailure(unanswered);
  verify = status(401, { statusCode: 401, message: 'Unknown' });
  await comeBack(tokens, true);
  await expectFailure('Login callback failed');
  verify = status(200, { user: { id: 'nobody', email: null, displayName: null } });
  await comeBack({ ...tokens, token: unsignedToken(Date.now() - 1_000) }, true);
  await expectFailure(
    'This device’s clock says the sign-in has already expired. Check the date and time, then sign in again.',
  );
});
