import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { authorizeAddress, signInByPopup } from './sign-in.popup.js';
import { takeTabMark } from './tab.marker.js';

const portal = 'https://id.example.com';
const request = {
  portal,
  projectId: 'orange-a1b2c3d4e5',
  callback: 'https://app.example.com/after?page=1&x=ä',
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A page in a browser that opens `popup`, or blocks it if that is null. */
function openPage(popup: { closed: boolean; focus(): void } | null) {
  const stored = new Map<string, string>();
  const events = new EventTarget();
  const opened: string[][] = [];
  const left: string[] = [];
  const page = {
    sessionStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => stored.set(name, text),
      removeItem: (name: string) => stored.delete(name),
    },
    open(...given: string[]) {
      opened.push(given);
      return popup;
    },
    location: { assign: (address: string) => left.push(address) },
    screenX: 100,
    screenY: 50,
    outerWidth: 1260,
    outerHeight: 920,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    setInterval,
    clearInterval,
  } as unknown as Window;
  return {
    page,
    opened,
    left,
    tab: () => new URL(String(opened[0]?.[0])).searchParams.get('tab') ?? '',
    mark: () => takeTabMark(Date.now(), page.sessionStorage),
    receive: (data: unknown, origin = portal) =>
      events.dispatchEvent(Object.assign(new Event('message'), { data, origin })),
  };
}
const openPopup = () => ({ closed: false, focus: jest.fn() });
const tokens = { token: 'access', refreshToken: 'refresh' };

test('the address names the project, the callback, the marker, the display, the method and the time zone', () => {
  const address = new URL(authorizeAddress({ ...request, method: 'email' }, 'a-marker', 'popup'));
  expect(address.origin + address.pathname).toBe('https://id.example.com/api/v1/auth/authorize');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    tenantId: 'orange-a1b2c3d4e5',
    callback: request.callback,
    tab: 'a-marker',
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    display: 'popup',
    method: 'email',
  });
  expect(authorizeAddress(request, 'a-marker', 'page')).not.toContain('method');
});

test('the window opens in the middle of the page, and its message resolves with the tokens', async () => {
  const popup = openPopup();
  const { page, opened, tab, mark, receive } = openPage(popup);
  const outcome = signInByPopup(request, page);
  expect(opened).toEqual([
    [
      expect.stringMatching(/^https:\/\/id\.example\.com\/api\/v1\/auth\/authorize\?.*display=popup/),
      'orange-id-sign-in',
      'popup,width=460,height=720,left=500,top=150',
    ],
  ]);
  expect(popup.focus).toHaveBeenCalled();
  receive({ type: 'orange-id.signin', tab: tab(), ...tokens });
  expect(await outcome).toEqual(tokens);
  // Nothing that arrives later can use the marker.
  expect(mark()).toBeNull();
});

test('a second click on the same button brings the open window to the front and gets the same outcome', async () => {
  const popup = openPopup();
  const { page, opened, tab, receive } = openPage(popup);
  const clicks = [signInByPopup(request, page), signInByPopup(request, page)];
  expect([opened.length, popup.focus.mock.calls.length]).toEqual([1, 2]);
  receive({ type: 'orange-id.signin', tab: tab(), ...tokens });
  expect(await Promise.all(clicks)).toEqual([tokens, tokens]);

  void signInByPopup(request, page);
  void signInByPopup({ ...request, method: 'email' }, page);
  popup.closed = true;
  void signInByPopup({ ...request, method: 'email' }, page);
  expect(opened).toHaveLength(4);
});

test('a message counts only from the portal’s exact origin, with the marker and both tokens', async () => {
  const { page, tab, receive } = openPage(openPopup());
  const outcome = signInByPopup(request, page);
  const planted = { type: 'orange-id.signin', token: 'planted', refreshToken: 'planted' };
  for (const origin of [
    'http://id.example.com',
    'https://id.example.com:8443',
    'https://id.example.com.evil.example',
    'https://evil.example',
    'null',
  ]) {
    receive({ ...planted, tab: tab() }, origin);
  }
  for (const data of [
    null,
    undefined,
    'text',
    7,
    planted,
    { ...planted, tab: '' },
    { ...planted, tab: 'AAAAAAAAAAAAAAAAAAAAAA' },
    { ...planted, tab: [tab()] },
  ]) {
    receive(data);
  }
  receive({ type: 'orange-id.signin', tab: tab(), ...tokens });
  expect(await outcome).toEqual(tokens);
});

test.each([
  ['a cancelled sign-in', { type: 'orange-id.cancelled' }],
  ['a message without a refresh token', { type: 'orange-id.signin', token: 'access' }],
])('%s resolves with null', async (_, message) => {
  const { page, tab, receive } = openPage(openPopup());
  const outcome = signInByPopup(request, page);
  receive({ ...message, tab: tab() });
  expect(await outcome).toBeNull();
});

test('closing the window resolves with null, but a message that it sent before closing counts', async () => {
  const closing = openPopup();
  const first = openPage(closing);
  const cancelled = signInByPopup(request, first.page);
  closing.closed = true;
  jest.runOnlyPendingTimers();
  jest.runOnlyPendingTimers();
  expect(await cancelled).toBeNull();

  const late = openPopup();
  const second = openPage(late);
  const outcome = signInByPopup(request, second.page);
  late.closed = true;
  jest.runOnlyPendingTimers();
  second.receive({ type: 'orange-id.signin', tab: second.tab(), ...tokens });
  expect(await outcome).toEqual(tokens);
});

test('if the browser blocks the window, the sign-in continues in this tab with the stored marker', () => {
  const { page, left, mark } = openPage(null);
  expect(signInByPopup(request, page)).toBeNull();
  const address = new URL(String(left[0]));
  expect(address.searchParams.get('display')).toBe('page');
  expect(address.searchParams.get('tab')).toBe(mark());
});
