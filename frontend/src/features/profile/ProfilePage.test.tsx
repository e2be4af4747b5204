import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IdentityUser, SignInMethod } from '@orange-id/contract/identity.schema';
import type { Project } from '@orange-id/contract/projects.schema';
import type { RewardAnswer } from '@orange-id/contract/rewards.schema';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { json, network, refusal, someone } from '../../testing/network';
import { openPortal } from '../../testing/open.portal';

const userCall = '/api/v1/auth/user';
const methodsCall = '/api/v1/auth/identifiers';
const projectsCall = '/devportal/v1/user/projects';
const rewardCall = '/api/reward/profile';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const short = '0xd8dA6...7aA96045';
const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const observer: RewardAnswer = { rank: 'Observer', rankImage: null, experiencePoints: 5_000 };

const project = (projectName: string, urls: string[] = []): Project => ({
  id: projectName,
  code: `orange-${projectName.toLowerCase()}`,
  projectName,
  urls,
  apiKey: `oid_${'k'.repeat(33)}`,
  createdAt: '2026-01-02T03:04:05.000Z',
  lastUpdatedAt: '2026-01-02T03:04:05.000Z',
});

/** Mocks the services for an account; empty by default. */
function answer({
  user = {},
  methods = [],
  projects = [],
}: { user?: Partial<IdentityUser>; methods?: SignInMethod[]; projects?: Project[] } = {}): void {
  network.use(
    http.get(userCall, () => json({ ...someone, ...user })),
    http.get(methodsCall, () => json(methods)),
    http.get(projectsCall, () => json(projects)),
    http.get(rewardCall, () => json(observer)),
  );
}

const joined = '2026-01-02T03:04:05.000Z';
const card = (name: string) => screen.findByRole('region', { name });
const tile = (term: string) =>
  [...document.querySelectorAll('.profile_tile')]
    .find(({ firstChild }) => firstChild?.textContent?.trim() === term)
    ?.querySelector('dd');

beforeEach(() => answer());

describe('the profile page', () => {
  test('shows the user, the contact tiles, the rank and the link to Settings', async () => {
    answer({
      user: {
        displayName: 'Ada Lovelace',
        userName: 'ada',
        bio: 'Builds engines.\nLikes proofs.',
        country: 'Italy',
        ethAddress: address,
        createdAt: '2026-03-04T12:00:00.000Z',
        picture: '/orange-id.svg',
      },
    });
    openPortal('/profile');
    const banner = await card('My Profile');
    expect(await within(banner).findByRole('heading', { level: 2 })).toHaveTextContent('Ada Lovelace');
    expect(banner).toHaveTextContent('@ada');
    expect(banner).toHaveTextContent('Builds engines.');
    expect(banner.querySelector('img')).toHaveAttribute('src', '/orange-id.svg');
    expect(tile('Email')).toHaveTextContent(new RegExp(`^${someone.email}$`));
    expect(tile('Wallet')).toHaveTextContent(short);
    expect(tile('Location')).toHaveTextContent('Italy');
    expect(tile('Joined')).toHaveTextContent('4 Mar 2026');
    const rank = await card('Rank');
    expect(await within(rank).findByRole('heading')).toHaveTextContent('Observer');
    expect(rank).toHaveTextContent('50 XP');
    expect(within(banner).getByRole('link', { name: 'Edit profile' })).toHaveAttribute('href', '/settings');
  });

  test('says beside the email that it isn’t confirmed', async () => {
    answer({ user: { emailVerified: false } });
    openPortal('/profile');
    await waitFor(() => expect(tile('Email')).toHaveTextContent(`${someone.email} Not confirmed`));
  });

  test('shows the confirmed email beside a new one that isn’t confirmed', async () => {
    answer({ user: { email: 'new@example.com', emailVerified: false, confirmedEmail: someone.email } });
    openPortal('/profile');
    await waitFor(() =>
      expect(tile('Email')).toHaveTextContent(
        `new@example.com Not confirmedIn use until then: ${someone.email}`,
      ),
    );
  });

  test('of a new account says what is missing and links to the first steps', async () => {
    answer({ user: { displayName: null } });
    openPortal('/profile');
    expect(await within(await card('My Profile')).findByRole('heading', { level: 2 })).toHaveTextContent(
      'New Observer',
    );
    expect(tile('Wallet')).toHaveTextContent('Not connected');
    expect(tile('Location')).toHaveTextContent('Not set');
    const projects = await card('Projects');
    await within(projects).findByText('There are no projects to display');
    expect(projects).toHaveTextContent('Create your first project to get started');
    expect(within(projects).getByRole('link', { name: 'Create New Project' })).toHaveAttribute(
      'href',
      '/orange-id',
    );
    expect(within(projects).getByRole('link', { name: 'View All Projects (0)' })).toBeInTheDocument();
    const wallets = await card('Wallets');
    expect(wallets).toHaveTextContent('No wallet connected');
    expect(within(wallets).getByRole('link', { name: 'Connect Wallet' })).toHaveAttribute(
      'href',
      '/login?from=profile',
    );
  });

  test('shows the first three projects, each with the number of its URLs, and the total number', async () => {
    const [first, second] = ['https://a.example.com', 'https://b.example.com'];
    answer({
      projects: [project('Four'), project('Three', [first]), project('Two', [first, second]), project('One')],
    });
    openPortal('/profile');
    const projects = await card('Projects');
    const all = await within(projects).findByRole('link', { name: 'View All Projects (4)' });
    expect(all).toHaveAttribute('href', '/projects');
    const items = within(projects).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Four0 allowed URLs · created \d+ \w+ ago$/),
      expect.stringMatching(/^Three1 allowed URL · created \d+ \w+ ago$/),
      expect.stringMatching(/^Two2 allowed URLs · created \d+ \w+ ago$/),
    ]);
    const links = items.map((item) => within(item).getByRole('link'));
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Four', '/projects?project=orange-four'],
      ['Three', '/projects?project=orange-three'],
      ['Two', '/projects?project=orange-two'],
    ]);
  });

  test('shows an error with Retry for each part that fails to load', async () => {
    for (const call of [projectsCall, rewardCall, methodsCall])
      network.use(http.get(call, () => refusal(503, 'Not now')));
    const { user } = openPortal('/profile');
    const parts = [
      ['Rank', 'Failed to load your rank', 'Observer'],
      ['Projects', 'Failed to load projects', 'There are no projects to display'],
      ['Socials', 'Failed to load your sign-in methods', 'Google'],
      ['Wallets', 'Failed to load your linked wallets', 'No wallet connected'],
    ] as const;
    for (const [name, sentence] of parts)
      expect(await within(await card(name)).findByRole('alert')).toHaveTextContent(sentence);
    answer({
      methods: [
        { id: 'm', provider: 'email', label: 'ada@example.com', isVerified: true, linkedAt: '2026-01-01' },
      ],
    });
    for (const [name, , there] of parts) {
      const part = await card(name);
      // Socials and wallets share one request.
      const retry = within(part).queryByRole('button', { name: 'Retry' });
      if (retry) await user.click(retry);
      await waitFor(() => expect(part).toHaveTextContent(there));
    }
  });

  test('shows an error if the profile fails to load, and says so if the identity service lists no sign-in methods', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    network.use(
      http.get(methodsCall, () => new HttpResponse(null, { status: 404 })),
      http.get(userCall, () => refusal(503, 'Not now')),
    );
    const { user } = openPortal('/profile');
    const contact = within(await card('Contact'));
    expect(await contact.findByRole('alert')).toHaveTextContent('Failed to load your profile');
    await within(await card('Socials')).findByText('No sign-in methods to show');
    network.use(http.get(userCall, () => json({ ...someone, displayName: 'Ada' })));
    await user.click(contact.getByRole('button', { name: 'Retry' }));
    expect(await within(await card('My Profile')).findByRole('heading', { level: 2 })).toHaveTextContent(
      'Ada',
    );
  });
});

describe('the sign-in methods', () => {
  const emailMethod: SignInMethod = {
    id: '1',
    provider: 'email',
    label: 'ada@example.com',
    isVerified: true,
    linkedAt: joined,
  };
  const walletMethod: SignInMethod = {
    id: '2',
    provider: 'wallet',
    label: address,
    isVerified: true,
    linkedAt: joined,
  };

  test('show a reason instead of the Disconnect button for the only one', async () => {
    answer({ methods: [emailMethod] });
    openPortal('/profile');
    const socials = await card('Socials');
    const reason = await within(socials).findByText('Your only sign-in method');
    expect(reason.closest('li')).toHaveTextContent('Email');
    expect(within(socials).queryByText(/^Disconnect/)).not.toBeInTheDocument();
  });

  test('show a reason instead of the Disconnect button for a wallet that is the only one', async () => {
    answer({ methods: [walletMethod] });
    openPortal('/profile');
    const wallets = await card('Wallets');
    expect(await within(wallets).findByText('Your only sign-in method')).toBeInTheDocument();
    expect(within(wallets).queryByText(/^Disconnect/)).not.toBeInTheDocument();
  });

  test('offer to disconnect a wallet that is only in the profile', async () => {
    answer({ user: { ethAddress: address }, methods: [emailMethod] });
    openPortal('/profile');
    await within(await card('Socials')).findByText('Your only sign-in method');
    expect(within(await card('Wallets')).getByText(/^Disconnect/)).toBeInTheDocument();
  });

  test('offer no link to connect one that the portal is not configured for', async () => {
    answer({ methods: [emailMethod] });
    openPortal('/profile', { features: { apple: false } });
    const socials = await card('Socials');
    const apple = (await within(socials).findByText('Apple')).closest('li') as HTMLElement;
    expect(apple).toHaveTextContent('Not available on this portal');
    expect(within(apple).queryByRole('link')).not.toBeInTheDocument();
    expect(within(socials).getByRole('link', { name: 'Connect Google' })).toBeInTheDocument();
  });

  test('can be disconnected when there are two, also a wallet', async () => {
    answer({ methods: [emailMethod, walletMethod] });
    openPortal('/profile');
    expect(await within(await card('Socials')).findByText(/^Disconnect/)).toBeInTheDocument();
    expect(await within(await card('Wallets')).findByText(/^Disconnect/)).toBeInTheDocument();
    expect(screen.queryByText('Your only sign-in method')).not.toBeInTheDocument();
  });
});

describe('a wallet', () => {
  /** Opens the page for an account with one wallet, and waits until the wallet shows. */
  async function openWallet() {
    answer({ user: { ethAddress: address } });
    const portal = openPortal('/profile');
    const row = await waitFor(() => {
      const found = document.querySelector<HTMLElement>('[data-machine="walletEdit"]');
      if (!found) throw new Error('no wallet yet');
      return found;
    });
    const inside = within(row);
    return {
      ...portal,
      row,
      shown: () => row.querySelector('code'),
      edit: () => inside.getByRole('button', { name: /^Edit wallet/ }),
      input: () => inside.getByRole('textbox', { name: 'Wallet address' }),
      button: (name: string | RegExp) => inside.getByRole('button', { name }),
      disconnect: () => inside.getByRole('link', { name: /^Disconnect wallet/ }),
      wallet: portal.machine('walletEdit'),
    };
  }

  test('is shortened, shown in full on demand, and copied in full, with feedback for 1.5 seconds', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { user, shown, button } = await openWallet();
    expect(shown()).toHaveTextContent(short);
    const toggle = button(/^View full wallet address/);
    await user.click(toggle);
    expect(shown()).toHaveTextContent(address);
    expect(toggle).toHaveTextContent('Hide');
    await user.click(toggle);
    expect(shown()).toHaveTextContent(short);
    expect(toggle).toHaveTextContent('View');

    const copied = jest.spyOn(navigator.clipboard, 'writeText');
    const copy = button(/^Copy wallet address/);
    await user.click(copy);
    await waitFor(() => expect(copy).toHaveTextContent('Copied!'));
    expect(copied.mock.calls).toEqual([[address]]);
    await act(async () => jest.advanceTimersByTime(1_400));
    expect(copy).toHaveTextContent('Copied!');
    await act(async () => jest.advanceTimersByTime(100));
    expect(copy).toHaveTextContent(/^Copy$/);
  });

  test('keeps its address if the new one is invalid', async () => {
    const { user, row, shown, edit, input, button, wallet } = await openWallet();
    await user.click(edit());
    expect(input()).toHaveFocus();
    expect(input()).toHaveValue(address);
    await user.click(button('Confirm'));
    expect(wallet.state()).toBe('viewing');
    await waitFor(() => expect(edit()).toHaveFocus());

    for (const refused of ['', '0x12', other.replace('5aAe', '5AAe'), '🦊', 'x'.repeat(5_000)]) {
      await user.click(edit());
      await user.clear(input());
      if (refused) await user.paste(refused);
      await user.click(button('Confirm'));
      expect(await within(row).findByText('Address is invalid.')).toBeInTheDocument();
      expect(input()).toHaveAttribute('aria-invalid', 'true');
      expect(wallet.state()).toBe('editing');
      await user.click(button('Cancel'));
      expect(wallet.state()).toBe('viewing');
    }
    expect(shown()).toHaveTextContent(short);
  });

  test('can be edited by keyboard: Escape cancels, Enter validates', async () => {
    const { user, row, edit, input } = await openWallet();
    edit().focus();
    await user.keyboard('{Enter}');
    expect(input()).toHaveFocus();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(edit()).toHaveFocus());
    await user.keyboard('{Enter}');
    await user.clear(input());
    await user.keyboard('0xnothing{Enter}');
    await within(row).findByText('Address is invalid.');
    expect(input()).toHaveFocus();
    await user.keyboard('1');
    expect(within(row).queryByText('Address is invalid.')).not.toBeInTheDocument();
  });

  test('links to the sign-in methods to connect and disconnect', async () => {
    const { disconnect } = await openWallet();
    const wallets = within(await card('Wallets'));
    for (const link of [wallets.getByRole('link', { name: 'Connect Wallet' }), disconnect()])
      expect(link).toHaveAttribute('href', '/login?from=profile');
  });
});
