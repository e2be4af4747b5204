import { describe, expect, jest, test } from '@jest/globals';
import { unknownEndpoint } from '@orange-id/contract/usage.path.rule';
import type { UsageMetrics } from '@orange-id/contract/usage.schema';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { copiedText } from '../../testing/clipboard';
import { expectToast } from '../../testing/expect.toast';
import { json, network, refusal } from '../../testing/network';
import { openPortal, type Portal } from '../../testing/open.portal';
import {
  blockedCall,
  keepCalls,
  ownSite,
  stranger,
  usageCalls,
  type MadeCall,
} from '../../testing/kept.calls';

const found = <E extends HTMLElement = HTMLElement>(selector: string): E => {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`there is no ${selector}`);
  return element;
};
const figure = (label: string) => {
  const title = [...document.querySelectorAll('.figure_root dt')].find(
    ({ textContent }) => textContent === label,
  );
  return title?.parentElement;
};
const value = (label: string) => figure(label)?.querySelector('.figure_value');
const change = (label: string) => figure(label)?.querySelector('.figure_change');
const rows = () => [...document.querySelectorAll<HTMLElement>('.usage_table tbody tr')];
const links = () => rows().map((row) => row.querySelector('a') as HTMLElement);
const chartCells = (column: number) =>
  [...document.querySelectorAll(`caption ~ tbody td:nth-of-type(${column})`)].map(({ textContent }) =>
    Number(textContent),
  );
const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
const bar = (region: string, name: RegExp) =>
  within(found(`section[aria-label="${region}"]`)).getByRole('button', { name });
const clearFilters = () => {
  const buttons = [...document.querySelectorAll('button')];
  return buttons.find(({ textContent }) => textContent === 'Clear filters') as HTMLElement;
};
const detail = () => document.querySelector('.usage_detail [role=dialog]');
const field = (label: string) => {
  const title = [...document.querySelectorAll('.usage_detail dt')].find(
    ({ textContent }) => textContent === label,
  );
  return title?.nextElementSibling;
};
const title = () => found('#usage-tail-title');
const state = () => found('.usage_now .live-state_root').textContent;
const isLive = () => waitFor(() => expect(state()).toBe('Live'));

/** Expects this number of calls in figures and chart, and of rows in the list; a row can stand for several calls. */
const expectCount = (calls: number, listed = calls) =>
  waitFor(() => {
    expect(value('Calls')).toHaveTextContent(String(calls));
    expect(rows()).toHaveLength(listed);
    expect(sum(chartCells(1))).toBe(calls);
  });

/** Chooses an option of one filter. */
async function choose({ user }: Portal, filter: string, option: string) {
  await user.click(found(`input[aria-label="${filter}"]`));
  const shown = await waitFor(() => found(`.ant-select-item-option[title="${option}"]`));
  await user.click(shown);
}

const labelOf = (element: Element) => element.getAttribute('aria-label');

const badRequest: MadeCall = {
  endpoint: '/api/v1/wallet/balance',
  statusCode: 400,
  outcome: 'error',
  errorCode: 'wallet.addressInvalid',
};

/**
 * Mocks two projects and seven calls: four of the first (two plain, one blocked, one refused with 400), three of the
 * second.
 */
const mockSevenCalls = () =>
  keepCalls(
    ['First', 'Second'],
    [
      ...[{}, {}, blockedCall, badRequest],
      ...[{ origin: ownSite }, { origin: ownSite }, {}].map((made) => ({ ...made, projectName: 'Second' })),
    ],
  );

describe('an account without calls', () => {
  test('is sent to the wizard if it has no project', async () => {
    keepCalls([]);
    openPortal('/usage');
    expect(await screen.findByText('No calls yet')).toBeInTheDocument();
    expect(await screen.findByText('Latest call: none')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Create a project' })).toHaveAttribute('href', '/orange-id');
  });

  test('gets a first command with its newest key masked, and sees its first call without a reload', async () => {
    const { projects, make } = keepCalls(['First', 'Newest']);
    openPortal('/usage');
    const command = await screen.findByLabelText('curl command');
    expect(
      screen.getByText(
        'Calls made with your API keys appear here as they happen. Try it with the API key for Newest:',
      ),
    ).toBeInTheDocument();
    expect(command).toHaveTextContent('/api/v1/key');
    expect(command).toHaveTextContent(/oid_2222•+2222/);
    expect(document.body).not.toHaveTextContent(projects[1]?.apiKey ?? '');
    await isLive();
    make({});
    await expectCount(1);
    expect(rows()[0]).toHaveTextContent('GET /api/v1/key');
    expect(rows()[0]).toHaveTextContent('200 OK');
    expect(rows()[0]).toHaveTextContent('First');
    expect(bar('By status', /200 OK/)).toHaveTextContent('1');
  });
});

test('the headings are the same while the first figures load', async () => {
  mockSevenCalls();
  let arrive!: () => void;
  const held = new Promise<void>((resolve) => (arrive = resolve));
  network.use(http.get(usageCalls.metrics, () => held));
  openPortal('/usage');
  const headings = () => [...document.querySelectorAll('main h2, main dt')].map((one) => one.textContent);
  await waitFor(() => expect(headings().slice(-2)).toEqual(['By origin', 'Calls']));
  const loading = headings();
  arrive();
  await expectCount(7);
  expect(headings()).toEqual(loading);
});

test('a range without calls offers the day of the last call, however long ago', async () => {
  const timestamp = new Date(2025, 10, 21, 12, 3, 41).toISOString();
  keepCalls(['First'], [{ timestamp }]);
  const { user, address } = openPortal('/usage?range=30d');
  expect(await screen.findByText('Your last call was on 21 November 2025 at 12:03.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Show that day' }));
  await expectCount(1);
  const query = new URL(address(), 'http://localhost').searchParams;
  expect([query.get('from'), query.get('to')]).toEqual([
    new Date(2025, 10, 21).toISOString(),
    new Date(2025, 10, 22).toISOString(),
  ]);
});

test('a range in the past says that no new calls appear', async () => {
  const day = { from: '2025-11-21T00:00:00.000Z', to: '2025-11-22T00:00:00.000Z' };
  keepCalls(['First'], [{ timestamp: '2025-11-21T12:00:00.000Z' }]);
  openPortal(`/usage?${new URLSearchParams(day)}`);
  await expectCount(1);
  expect(
    within(found('.usage_now')).getByText('This range is in the past. New calls won’t appear.'),
  ).toBeInTheDocument();
});

describe('the list of calls', () => {
  test('stays unchanged while paused, counts new calls, and shows them when resumed', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { make } = keepCalls(['First'], [{}, {}]);
    const { user, machine } = openPortal('/usage');
    await expectCount(2);
    await isLive();
    const now = found('.usage_now');
    expect(now).toHaveTextContent('Latest callGET /api/v1/key200 OK');
    await user.click(within(now).getByRole('button', { name: 'Pause' }));
    expect(machine('usageTail').state()).toBe('paused.held');
    make({}, {}, {});
    await waitFor(() => expect(state()).toBe('Paused, 3 new'));
    jest.advanceTimersByTime(2_000);
    await waitFor(() => expect(value('Calls')).toHaveTextContent('5'));
    expect(rows()).toHaveLength(2);
    await user.click(within(now).getByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(rows()).toHaveLength(5));
    expect(state()).toBe('Live');

    await user.click(within(now).getByRole('button', { name: 'Pause' }));
    await user.click(screen.getByText('1h'));
    await waitFor(() => expect(machine('usageTail').state()).toBe('following'));
    expect(state()).toBe('Live');
  });

  test('shows the most recent call as the latest, even if earlier blocked calls are recorded after it', async () => {
    const { make } = keepCalls(['First'], [{}]);
    openPortal('/usage');
    await expectCount(1);
    await isLive();
    const now = Date.now();
    make(
      { endpoint: '/api/v1/tokens', timestamp: new Date(now).toISOString() },
      { ...blockedCall, calls: 2, timestamp: new Date(now - 500).toISOString() },
    );
    await expectCount(4, 3);
    expect(rows()[0]).toHaveTextContent('403 Blocked');
    expect(found('.usage_now')).toHaveTextContent('Latest callGET /api/v1/tokens200 OK');
  });

  test('moves between rows by arrow keys, and is paused from then on', async () => {
    const { make } = keepCalls(['First'], [{}, {}, {}]);
    const { user, address, machine } = openPortal('/usage');
    await expectCount(3);
    await isLive();
    const [first, second, last] = links();
    expect(first).toHaveAttribute('tabindex', '0');
    expect(second).toHaveAttribute('tabindex', '-1');
    expect(machine('usageTail').state()).toBe('following');
    title().focus();
    await user.tab();
    expect(first).toHaveFocus();
    expect(machine('usageTail').state()).toBe('paused.held');
    await user.keyboard('{ArrowDown}');
    expect(second).toHaveFocus();
    expect(second).toHaveAttribute('tabindex', '0');
    await user.keyboard('{End}');
    expect(last).toHaveFocus();
    make({});
    await waitFor(() => expect(state()).toBe('Paused, 1 new'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/usage?call=1'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(last).toHaveFocus());
    await user.keyboard('{Home}');
    expect(first).toHaveFocus();
  });

  test('adds only live calls that match the filters', async () => {
    const { make } = keepCalls(['First'], [{}]);
    openPortal('/usage?origin=none&status=2xx');
    await expectCount(1);
    await isLive();
    make(blockedCall, { origin: ownSite }, badRequest, {});
    await expectCount(2);
    expect(rows().map(({ dataset }) => dataset['seq'])).toEqual(['5', '1']);
  });
});

describe('a call', () => {
  test('opens in full from its row; the URL contains it, and going back closes it', async () => {
    const { projects, keys } = keepCalls(['First'], [{}, blockedCall]);
    const portal = openPortal('/usage?status=blocked');
    const { user, address } = portal;
    await expectCount(1);
    const link = links()[0] as HTMLElement;
    await user.click(link);
    expect(address()).toBe('/usage?status=blocked&call=2');
    await waitFor(() => expect(field('Time')).toHaveTextContent(/\d\d:\d\d:\d\d/));
    expect(field('Call number')).toHaveTextContent(/^2$/);
    expect(field('Method')).toHaveTextContent(/^GET$/);
    expect(field('Endpoint')).toHaveTextContent(/^\/api\/v1\/key$/);
    expect(field('Status')).toHaveTextContent(/^403 Blocked$/);
    expect(field('Outcome')).toHaveTextContent(/^Blocked: the origin wasn’t allowed$/);
    expect(field('Error')).toHaveTextContent(
      /key\.originRefused.*This project doesn’t allow calls from this origin.*add it to the project’s allowed URLs/,
    );
    expect(field('Origin')?.textContent).toMatch(`${stranger}Not an allowed URL at the time`);
    expect(field('Response time')?.textContent).toBe('1.2 msMeasured at the server');
    expect(field('Project ID')).toHaveTextContent(projects[0]?.code ?? '');
    expect(field('API key')).toHaveTextContent(`First${keys[0]?.prefix}••••${keys[0]?.last4}`);
    expect(detail()).not.toHaveTextContent(projects[0]?.apiKey ?? '');
    expect(
      within(detail() as HTMLElement)
        .getAllByRole('button', { name: /^Copy/ })
        .map(labelOf),
    ).toEqual([
      ...['Copy call number', 'Copy endpoint', 'Copy origin', 'Copy project ID', 'Copy key ID'],
      'Copy call as JSON',
    ]);
    await user.click(screen.getByRole('button', { name: 'Copy origin' }));
    expect(await copiedText()).toBe(stranger);
    await user.click(screen.getByRole('button', { name: 'Copy call number' }));
    expect(await copiedText()).toBe('2');
    await user.click(screen.getByRole('button', { name: 'Copy call as JSON' }));
    await waitFor(async () => expect(JSON.parse(await copiedText())).toMatchObject({ seq: 2 }));

    await user.keyboard('{Escape}');
    await waitFor(() => expect(link).toHaveFocus());
    expect(address()).toBe('/usage?status=blocked');
    await user.click(rows()[0]?.querySelector('.status-tag_root') as HTMLElement);
    expect(address()).toBe('/usage?status=blocked&call=2');
    await portal.goBack();
    expect(address()).toBe('/usage?status=blocked');
    await portal.goForward();
    expect(address()).toBe('/usage?status=blocked&call=2');
    await waitFor(() => expect(field('Call number')).toHaveTextContent(/^2$/));
  });

  test('that stands for several calls says how many', async () => {
    keepCalls(['First'], [{ ...blockedCall, calls: 1_200 }]);
    openPortal('/usage?call=1');
    await waitFor(() =>
      expect(field('Outcome')?.textContent).toBe(
        'Blocked: the origin wasn’t allowedCombines 1,200 similar calls',
      ),
    );
  });

  test('that fails to load is loaded by Retry', async () => {
    keepCalls(['First'], [{}]);
    let isBroken = true;
    network.use(
      http.get(usageCalls.rows, ({ request }) =>
        isBroken && new URL(request.url).searchParams.has('after')
          ? refusal(503, 'Service unavailable')
          : undefined,
      ),
    );
    const { user } = openPortal('/usage?call=1');
    await screen.findByText('Failed to load this call');
    isBroken = false;
    await user.click(within(detail() as HTMLElement).getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(field('Call number')).toHaveTextContent(/^1$/));
    expect(screen.queryByText('Failed to load this call')).not.toBeInTheDocument();
  });

  test('to an endpoint that does not exist explains “…” if its path contains it', async () => {
    const unknown = { endpoint: unknownEndpoint, statusCode: 404, outcome: 'error' } as const;
    keepCalls(
      ['First'],
      [
        { ...unknown, path: '/api/v1/walet' },
        { ...unknown, path: '/api/v1/walet/…' },
      ],
    );
    const { goTo } = openPortal('/usage?call=1');
    await waitFor(() => expect(field('Endpoint')).toHaveTextContent(/^\/api\/v1\/walet$/));
    await goTo('/usage?call=2');
    await waitFor(() =>
      expect(field('Endpoint')).toHaveTextContent(
        '/api/v1/walet/…Anything that looks like an ID or a secret is shown as “…”.',
      ),
    );
  });

  test.each([
    ['usage.quotaReached', 429, 'Your daily quota was used up.The quota resets at 00:00 UTC.'],
    ['wallet.addressMissing', 400, 'Your account had no linked wallet.Add the address parameter'],
    ['server.failed', 500, 'report it under Support > Feedback with the call number.'],
  ])('with %s shows the key’s owner the cause and the remedy', async (errorCode, statusCode, words) => {
    keepCalls(['First'], [{ statusCode, errorCode, outcome: 'error' }]);
    openPortal('/usage?call=1');
    await waitFor(() => expect(field('Error')).toHaveTextContent(words));
    expect(field('Error')).not.toHaveTextContent('owner');
  });

  test('opened from the top of the page returns the focus to its link there, without scrolling', async () => {
    keepCalls(['First'], [{}]);
    const { user } = openPortal('/usage');
    await expectCount(1);
    const latest = found('.usage_now .usage_callLink');
    await user.click(latest);
    await waitFor(() => expect(field('Call number')).toHaveTextContent(/^1$/));
    const focus = jest.spyOn(latest, 'focus');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(latest).toHaveFocus());
    expect(focus.mock.calls).toEqual([[{ preventScroll: true }]]);
  });

  test('closes by an Escape right after the URL change', async () => {
    keepCalls(['First'], [{}]);
    const { address } = openPortal('/usage');
    await expectCount(1);
    const link = links()[0] as HTMLElement;
    link.focus();
    link.click();
    expect(address()).toBe('/usage?call=1');
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await waitFor(() => expect(address()).toBe('/usage'));
    await waitFor(() => expect(link).toHaveFocus());
  });

  test('in the URL opens even if it is not in the list, and closing it stays on the page', async () => {
    keepCalls(['First'], [{}, {}, {}, blockedCall]);
    const { user, address, goTo } = openPortal('/usage?status=blocked&call=1');
    await waitFor(() => expect(field('Status')).toHaveTextContent(/^200 OK$/));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(title()).toHaveFocus());
    expect(address()).toBe('/usage?status=blocked');

    await goTo('/usage?call=99');
    const notice = await screen.findByText('Call not found');
    expect(detail()).toContainElement(notice);
    expect(detail()).toHaveTextContent(
      'You have no call with this number. It may be too old, or belong to another account.',
    );
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(address()).toBe('/usage');
  });
});

describe('the filters', () => {
  test('are in the URL and apply to figures, chart and calls; Back and Forward restore them', async () => {
    const { projects } = mockSevenCalls();
    const portal = openPortal('/usage');
    const { user, address } = portal;
    await expectCount(7);
    await choose(portal, 'Project', 'First');
    expect(address()).toBe(`/usage?projectId=${projects[0]?.code}`);
    await expectCount(4);
    await choose(portal, 'Status', '4xx Client Error');
    await expectCount(2);
    await choose(portal, 'Endpoint', '/api/v1/wallet/balance');
    await expectCount(1);
    expect(screen.getByRole('button', { name: 'Filters (3)' })).toHaveAttribute('aria-expanded', 'false');
    await portal.goBack();
    await expectCount(2);
    await portal.goBack();
    await expectCount(4);
    await portal.goForward();
    await expectCount(2);
    expect(address()).toBe(`/usage?projectId=${projects[0]?.code}&status=4xx`);

    await user.click(clearFilters());
    expect(address()).toBe('/usage');
    await expectCount(7);
  });

  test('accept a typed origin, a key and an error, and stay when the range changes', async () => {
    const { keys } = mockSevenCalls();
    const portal = openPortal('/usage');
    const { user, address } = portal;
    await expectCount(7);
    await choose(portal, 'Origin', 'No origin');
    await expectCount(4);
    await choose(portal, 'Method', 'GET');
    expect(address()).toBe('/usage?method=GET&origin=none');
    await expectCount(4);
    await user.click(found('input[aria-label="Origin"]'));
    await user.paste(stranger);
    await user.keyboard('{Enter}');
    await expectCount(1);
    expect(rows()[0]).toHaveTextContent('403 Blocked');
    expect(rows()[0]).toHaveTextContent(stranger);
    expect(value('Blocked')).toHaveTextContent('1');
    await user.click(clearFilters());
    await choose(portal, 'Key', `Second · ${keys[1]?.prefix}••••${keys[1]?.last4}`);
    await expectCount(3);
    expect(address()).toBe(`/usage?keyId=${keys[1]?.id}`);
    await user.click(clearFilters());
    await choose(portal, 'Error code', 'wallet.addressInvalid');
    await expectCount(1);
    expect(address()).toBe('/usage?errorCode=wallet.addressInvalid');
    await user.click(screen.getByText('1h'));
    expect(address()).toBe('/usage?range=1h&errorCode=wallet.addressInvalid');
  });

  test('that are invalid in the URL are listed and ignored, and can be removed', async () => {
    mockSevenCalls();
    const { user, address } = openPortal(
      '/usage?status=6xx&method=get&statsu=404&endpoint=/api/v1/key&range=2h',
    );
    const notice = await screen.findByRole('alert');
    for (const problem of [
      'status “6xx” must be a status such as 404, a class such as 4xx, errors, blocked or revoked.',
      'method “get” must be an HTTP method such as GET.',
      'statsu “404” isn’t a filter on this page.',
      'range “2h” must be one of 1h, 24h, 7d, 30d.',
    ])
      expect(notice).toHaveTextContent(problem);
    await expectCount(6);
    expect(notice).toHaveTextContent('Some filters in the URL aren’t valid');
    expect(notice).toHaveTextContent('Usage ignores them.');
    await user.click(screen.getByRole('button', { name: 'Remove them' }));
    expect(address()).toBe('/usage?endpoint=%2Fapi%2Fv1%2Fkey');
    await waitFor(() => expect(notice).not.toBeInTheDocument());
    await expectCount(6);
  });

  test('with a range without a valid start and end are listed and removed as one', async () => {
    mockSevenCalls();
    const { user, address } = openPortal('/usage?from=bad');
    const notice = await screen.findByRole('alert');
    expect(notice).toHaveTextContent('A filter in the URL isn’t valid');
    expect(notice).toHaveTextContent(
      'The custom range “bad – ” needs a valid start and end. Usage ignores it.',
    );
    await user.click(screen.getByRole('button', { name: 'Remove it' }));
    expect(address()).toBe('/usage');
  });

  test('with another account’s project or key say so by its ID and offer to show all', async () => {
    mockSevenCalls();
    const { user, address, goTo } = openPortal('/usage?projectId=orange-9999999999&status=2xx');
    const notice = await screen.findByRole('alert');
    expect(notice).toHaveTextContent('Project not found');
    expect(notice).toHaveTextContent(
      'None of your projects has the ID “orange-9999999999”. It may have been deleted, or belong to another account.',
    );
    await user.click(screen.getByRole('button', { name: 'Show all projects' }));
    expect(address()).toBe('/usage?status=2xx');
    await expectCount(5);
    await goTo('/usage?keyId=0193d6a0-0000-7000-8000-999999999999');
    expect(await screen.findByText('API key not found')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent(
      'None of your API keys has the ID “0193d6a0-0000-7000-8000-999999999999”. It may belong to another account.',
    );
    await user.click(screen.getByRole('button', { name: 'Show all keys' }));
    await expectCount(7);
  });

  test('that match no call say so and offer to clear them', async () => {
    mockSevenCalls();
    const { user, address } = openPortal('/usage?status=503');
    expect(await screen.findByText('No calls match these filters')).toBeInTheDocument();
    await user.click(within(found('.usage_empty')).getByRole('button', { name: 'Clear filters' }));
    expect(address()).toBe('/usage');
    await expectCount(7);
  });

  test('keep two changes if the second comes before the first is rendered', async () => {
    const { keys } = mockSevenCalls();
    const { address } = openPortal('/usage?endpoint=/api/v1/wallet/balance');
    await expectCount(1);
    const key = bar('By key', /^First · oid_/);
    clearFilters().click();
    // The URL changes before the page renders.
    for (let turns = 0; window.location.search !== '' && turns < 1_000; turns++) await null;
    expect(window.location.search).toBe('');
    key.click();
    await waitFor(() => expect(address()).toBe(`/usage?keyId=${keys[0]?.id}`));
    await expectCount(4);
  });

  test('are set by the bars of the breakdowns, which move to the calls, and cleared by the same bars', async () => {
    const { projects, keys } = mockSevenCalls();
    const portal = openPortal('/usage');
    const { user, address } = portal;
    await expectCount(7);
    await user.click(bar('By status', /403 Blocked/));
    expect(address()).toBe('/usage?status=blocked');
    await expectCount(1);
    await waitFor(() => expect(title()).toHaveFocus());
    await user.click(bar('By status', /403 Blocked/));
    expect(address()).toBe('/usage');
    await expectCount(7);

    bar('By endpoint', /wallet\/balance/).focus();
    await user.keyboard('{Enter}');
    expect(address()).toBe('/usage?endpoint=%2Fapi%2Fv1%2Fwallet%2Fbalance&method=GET');
    await expectCount(1);
    await waitFor(() => expect(title()).toHaveFocus());
    await user.click(clearFilters());
    await expectCount(7);
    bar('By origin', /No origin/).focus();
    await user.keyboard(' ');
    await expectCount(4);
    await waitFor(() => expect(title()).toHaveFocus());
    await user.click(bar('By key', /^First · oid_/));
    await expectCount(3);
    expect(address()).toBe(`/usage?keyId=${keys[0]?.id}&origin=none`);
    // A key belongs to one project.
    await choose(portal, 'Project', 'First');
    expect(address()).toBe(`/usage?projectId=${projects[0]?.code}&origin=none`);
  });

  test('set by a bar do not move the focus to the calls if it has moved on', async () => {
    mockSevenCalls();
    const { user } = openPortal('/usage');
    await expectCount(7);
    let arrive!: () => void;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    network.use(http.get(usageCalls.metrics, () => held));
    await user.click(bar('By status', /403 Blocked/));
    const next = found('input[aria-label="Origin"]');
    next.focus();
    arrive();
    await expectCount(1);
    expect(next).toHaveFocus();
  });
});

test('figures are compared with the previous period until that is switched off, which the URL stores', async () => {
  const border = Date.now() - 60_000;
  const at = (ms: number) => ({ timestamp: new Date(border + ms).toISOString() });
  keepCalls(['First'], [at(-4), at(-3), at(-2), at(-1), { ...at(1), responseTime: 2.4 }]);
  const minutes = (n: number) => encodeURIComponent(new Date(border + n * 60_000).toISOString());
  const { user, address, goTo } = openPortal(`/usage?from=${minutes(0)}&to=${minutes(10)}`);
  await expectCount(1);
  await waitFor(() => expect(change('Calls')).toHaveTextContent('−75% (was 4)'));
  expect(change('Errors')).toHaveTextContent('No change');
  expect(change('Response p50')).toHaveTextContent('+1.2 ms (was 1.2 ms)');
  expect(figure('Response p50')).toHaveTextContent('Median');
  expect(sum(chartCells(5))).toBe(4);
  const compare = screen.getByRole('switch', { name: 'Compare to previous period' });
  await user.click(compare);
  expect(address()).toMatch(/&compare=off$/);
  await waitFor(() => expect(change('Calls')).toBeNull());
  expect(chartCells(5)).toEqual([]);
  await goTo(address());
  expect(compare).not.toBeChecked();
  compare.focus();
  await user.keyboard(' ');
  await waitFor(() => expect(change('Calls')).toHaveTextContent('−75% (was 4)'));

  await goTo(`/usage?from=${minutes(-10)}&to=${minutes(10)}`);
  expect(await screen.findByText('No calls in the previous period')).toBeInTheDocument();
  expect(compare).toBeChecked();
  for (const label of ['Calls', 'Errors', 'Blocked', 'Response p50']) expect(change(label)).toBeNull();
  // The cards keep their shape until the figures of the new range have loaded.
  let arrive!: () => void;
  const held = new Promise<void>((resolve) => (arrive = resolve));
  network.use(http.get(usageCalls.metrics, () => held));
  await goTo('/usage?range=7d');
  await waitFor(() => expect(found('.usage_content')).toHaveAttribute('aria-busy', 'true'));
  expect(change('Calls')).toBeNull();
  arrive();
  await screen.findByText('Response times are measured at the server. Percentiles are accurate to ±9.1%.');
  expect(screen.getAllByText(/accurate/)).toHaveLength(1);
});

test('a bar of the chart can be chosen by keyboard and shows its calls', async () => {
  const minute = Math.floor(Date.now() / 60_000) * 60_000 - 120_000;
  const timestamp = new Date(minute + 1_000).toISOString();
  keepCalls(
    ['First'],
    [{}, badRequest, blockedCall].map((made) => ({ ...made, timestamp })),
  );
  const { user, address } = openPortal('/usage?range=1h');
  await expectCount(3);
  const legend = within(screen.getByRole('list', { name: 'Legend' })).getAllByRole('listitem');
  const labels = ['Succeeded', '4xx', '5xx', 'Blocked'];
  expect(legend.map(({ textContent }) => textContent.trim())).toEqual(labels);
  const plot = await screen.findByRole('slider', { name: 'Calls over time' });
  plot.focus();
  await user.keyboard('{End}');
  for (let steps = 0; steps < 4 && !plot.getAttribute('aria-valuetext')?.includes('3 calls'); steps++)
    await user.keyboard('{ArrowLeft}');
  expect(plot.getAttribute('aria-valuetext')).toMatch(/· 3 calls, 1 error, 1 blocked( · 0 before)?$/);
  await user.keyboard('{Enter}');
  const iso = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  expect(address()).toBe(`/usage?from=${iso(minute)}&to=${iso(minute + 60_000)}`);
  await expectCount(3);
  await waitFor(() => expect(title()).toHaveFocus());
});

/** The metrics of a day with all its calls in one quarter of an hour, and a quota. */
const metricsOf = (calls: number, quota: number): UsageMetrics => ({
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-02T00:00:00.000Z',
  bucketSeconds: 900,
  totals: { calls, errors: 0, blocked: 0, p50: null, p95: null, p99: null },
  percentiles: 'exact',
  series: [{ at: '2026-01-01T12:00:00.000Z', calls, errors: 0, serverErrors: 0, blocked: 0 }],
  endpoints: [],
  statuses: [],
  keys: [],
  origins: [],
  today: { calls, quota },
});

test('a response time without a figure has no note', async () => {
  keepCalls(['First']);
  network.use(http.get(usageCalls.metrics, () => json(metricsOf(1, 100))));
  openPortal('/usage');
  await waitFor(() => expect(value('Response p95')).toHaveTextContent('–'));
  expect(figure('Response p95')).not.toHaveTextContent('faster');
});

test('while older calls cannot be read, a line says since when the figures are complete, until they can', async () => {
  const { make } = keepCalls(['First']);
  let away: Partial<UsageMetrics> = { completeFrom: '2026-01-01T06:00:00.000Z' };
  network.use(http.get(usageCalls.metrics, () => json({ ...metricsOf(1, 100), ...away })));
  const { machine } = openPortal('/usage');
  await machine('realtime').is('live');
  const line = await screen.findByText(/^Some calls before .+ can’t be read at the moment/);
  expect(line).toHaveTextContent('1 Jan 2026, 06:00');
  away = {};
  make({});
  await waitFor(() => expect(line).not.toBeInTheDocument());
});

/** Records what a screen reader would announce: changes in live regions, and of the focused value. */
function listen() {
  const said: string[] = [];
  const observer = new MutationObserver((changes) => {
    const regions = changes.map(({ target, type }) => {
      const element = target instanceof Element ? target : target.parentElement;
      if (type === 'attributes') return element === document.activeElement ? element : null;
      return element?.closest('[role=status], [role=alert], [role=log], [aria-live]');
    });
    for (const region of new Set(regions)) {
      if (region) said.push(region.getAttribute('aria-valuetext') ?? region.textContent ?? '');
    }
  });
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['aria-valuetext'],
  });
  return { said, stop: () => observer.disconnect() };
}

test('a stream of calls is announced only when the quota is nearly and when it is fully used', async () => {
  jest.useFakeTimers();
  const { make } = keepCalls(['First']);
  let calls = 0;
  network.use(http.get(usageCalls.metrics, () => json(metricsOf(70 + calls, 100))));
  const { user, machine } = openPortal('/usage');
  await machine('realtime').is('live');
  const chart = await screen.findByRole('slider', { name: 'Calls over time' });
  act(() => chart.focus());
  await user.keyboard('{End}');
  const { said, stop } = listen();
  while (calls < 36) {
    calls += 9;
    make(...Array<MadeCall>(9).fill({}));
    await waitFor(() => expect(rows()).toHaveLength(calls));
    await act(() => jest.advanceTimersByTimeAsync(2_000));
  }
  stop();
  expect(found('[aria-label=Totals]')).toHaveTextContent('Calls106');
  expect(said).toEqual(['Most of today’s quota is used.', 'Today’s quota is used up.']);
  await user.keyboard('{End}');
  expect(chart).toHaveAttribute('aria-valuetext', expect.stringContaining('106 calls'));
});

test('a breakdown shows its first six bars until the user asks for all of them', async () => {
  const origins = Array.from({ length: 8 }, (_, place) => ({ origin: `https://site-${place}.example.org` }));
  keepCalls(['First'], origins);
  const { user } = openPortal('/usage');
  await expectCount(8);
  const breakdown = within(found('section[aria-label="By origin"]'));
  expect(breakdown.getAllByRole('listitem')).toHaveLength(6);
  await user.click(breakdown.getByRole('button', { name: 'Show all 8' }));
  expect(breakdown.getAllByRole('listitem')).toHaveLength(8);
  await user.click(breakdown.getByRole('button', { name: 'Show fewer' }));
  expect(breakdown.getAllByRole('listitem')).toHaveLength(6);
});

test('a range whose origins are not counted says how to see them', async () => {
  keepCalls(['First'], [{}]);
  network.use(http.get(usageCalls.metrics, () => json({ ...metricsOf(1, 100), origins: null })));
  openPortal('/usage?range=30d');
  expect(
    await screen.findByText(
      'To see origins, choose a range under two days or filter by endpoint, method, status, error or origin.',
    ),
  ).toBeInTheDocument();
});

test('a revoked key is marked in its bar, outside the name that may be truncated', async () => {
  const { keys } = keepCalls(['First'], [{}]);
  network.use(http.get('/api/usage/keys', () => json(keys.map((key) => ({ ...key, isActive: false })))));
  openPortal('/usage');
  await expectCount(1);
  const revoked = await within(bar('By key', /^First · oid_1111••••1111\s*Revoked/)).findByText('Revoked');
  expect(revoked.closest('.usage_barsLabel')).toBeNull();
});

describe('the export', () => {
  const pick = async ({ user }: Portal, format: string) => {
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: new RegExp(`^${format} `) }));
  };

  test('requests the calls that the page shows, without leaving the page', async () => {
    keepCalls(['First'], [{ origin: ownSite }]);
    const asked: unknown[] = [];
    network.use(
      http.post(usageCalls.export, async ({ request }) => {
        asked.push(await request.json());
        return json({ url: '#file', fileName: 'usage-x.csv', expiresAt: '2026-01-01T00:00:00.000Z' }, 201);
      }),
    );
    const portal = openPortal(`/usage?origin=${encodeURIComponent(ownSite)}`);
    await expectCount(1);
    await pick(portal, 'CSV');
    await expectToast('Export Started', 'Your browser is downloading usage-x.csv.');
    expect(asked).toEqual([{ format: 'csv', filters: { from: expect.any(String), origin: ownSite } }]);
    expect(portal.address()).toBe(`/usage?origin=${encodeURIComponent(ownSite)}`);
  });

  test('is disabled until there is a call to export', async () => {
    const { make } = keepCalls(['First']);
    openPortal('/usage');
    expect(await screen.findByText('No calls yet')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Export' })).toBeDisabled();
    await isLive();
    make({});
    await expectCount(1);
    expect(screen.getByRole('button', { name: 'Export' })).toBeEnabled();
  });

  test('shows an error if it fails without a network, and can be retried', async () => {
    keepCalls(['First'], [{}]);
    network.use(http.post(usageCalls.export, () => HttpResponse.error()));
    const portal = openPortal('/usage');
    await expectCount(1);
    await pick(portal, 'NDJSON');
    await expectToast('Export Failed');
    expect(screen.getByRole('button', { name: 'Export' })).toBeEnabled();
  });
});
