import { describe, expect, jest, test } from '@jest/globals';
import { countries } from '@orange-id/contract/countries';
import { errorBody } from '@orange-id/contract/error.codes';
import { perProfileField, profileFields, type ProfileFieldName } from '@orange-id/contract/profile.fields';
import type {
  AccountChange,
  ActiveSession,
  IdentityUser,
  SignInMethod,
} from '@orange-id/contract/identity.schema';
import { profileUpdate, type ProfileResult, type ProfileUpdate } from '@orange-id/contract/profile.schema';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expectToast } from '../../testing/expect.toast';
import { keepProjects } from '../../testing/kept.projects';
import { answerLive } from '../../testing/live.connection';
import { json, network, refusal, someone } from '../../testing/network';
import { config, openPortal, type Portal } from '../../testing/open.portal';
import { storageKeys } from '@orange-id/contract/storage.keys';
import { unsignedToken } from '../../testing/unsigned.token';
import { pendingWork } from '../../testing/pending.work';

const profileCall = '/api/v1/user/profile';
const userCall = '/api/v1/auth/user';
const sessionsCall = '/api/v1/auth/sessions';
const changesCall = '/api/v1/auth/changes';
const methodsCall = '/api/v1/auth/identifiers';
const ago = '2026-01-02T03:04:05.000Z';

const session = (device: string, isCurrent = false): ActiveSession => ({
  id: `session on ${device}`,
  provider: 'email',
  device,
  isCurrent,
  signedInAt: ago,
  lastUsedAt: ago,
});
const method = (provider: SignInMethod['provider'], label: string): SignInMethod => ({
  id: `method ${provider}`,
  provider,
  label,
  isVerified: true,
  linkedAt: ago,
});

/** Mocks a service that stores this profile. Returns the bodies of the requests that save it. */
function keepProfile(known: Partial<IdentityUser> = {}): ProfileUpdate[] {
  let user: IdentityUser = { ...someone, ...known };
  const sent: ProfileUpdate[] = [];
  network.use(
    http.get(userCall, () => json(user)),
    http.post(profileCall, async ({ request }) => {
      const change = profileUpdate.parse(await request.json());
      sent.push(change);
      const before = user;
      const kept = perProfileField('storedAs', (row) => change[row.sentAs] ?? before[row.storedAs] ?? null);
      user = { ...before, ...kept };
      return json({
        picture: user.picture ?? null,
        updatedAt: ago,
        ...perProfileField('sentAs', ({ storedAs }) => kept[storedAs]),
      } satisfies ProfileResult);
    }),
  );
  return sent;
}

/** Opens the page and waits for the profile, the password and both lists. */
async function openSettings({
  methods = [method('email', 'ada@example.com')],
  sessions = [session('Chrome on Linux', true)],
  changes = [],
  hash = '',
}: {
  methods?: SignInMethod[];
  sessions?: ActiveSession[];
  changes?: AccountChange[];
  hash?: string;
} = {}) {
  network.use(
    http.get(methodsCall, () => json(methods)),
    http.get(sessionsCall, () => json(sessions)),
    http.get(changesCall, () => json(changes)),
  );
  const portal = openPortal(`/settings${hash}`);
  await screen.findByText(changes.length === 0 ? 'No recent changes' : /^If you didn’t make/);
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).not.toBeInTheDocument());
  return portal;
}

/** One profile field on the page. */
function field(name: ProfileFieldName) {
  const root = document.querySelector<HTMLElement>(`[data-field="${name}"]`);
  if (!root) throw new Error(`no field ${name}`);
  const { label, kind } = profileFields[name];
  const inside = within(root);
  return {
    root,
    value: () => root.querySelector('.settings_profileFieldValue'),
    edit: () => inside.getByRole('button', { name: `Edit ${label}` }),
    input: () =>
      inside.getByRole<HTMLInputElement>(kind === 'country' ? 'combobox' : 'textbox', { name: label }),
    save: () => inside.getByRole('button', { name: /^Sav/ }),
    cancel: () => inside.getByRole('button', { name: 'Cancel' }),
  };
}

describe('a field of the profile', () => {
  test('each field has its label and placeholder, and only the saved one is sent', async () => {
    const sent = keepProfile({ displayName: null });
    const { user } = await openSettings();
    const main = within(screen.getByRole('main'));
    expect(main.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Account',
      'Sign-in',
      'Connected apps',
      'Community email',
      'Profile Picture',
      'Your data',
      'Delete account',
    ]);
    for (const [name, placeholder, value, body] of [
      ['displayName', 'Enter display name', 'Ada', { displayName: 'Ada' }],
      ['username', 'Enter username', '@ada', { userName: 'ada' }],
      ['bio', 'Tell us about yourself', 'One\nTwo', { displayDesc: 'One\nTwo' }],
    ] as const) {
      const { root, value: shown, edit, input, save } = field(name);
      expect(root).toHaveTextContent('Not set');
      await user.click(edit());
      expect(input()).toHaveFocus();
      expect(input()).toHaveAttribute('placeholder', placeholder);
      await user.type(input(), value);
      await user.click(save());
      await waitFor(() => expect(shown()?.textContent).toBe(value));
      await expectToast('Profile Updated', `${profileFields[name].label} saved.`);
      expect(sent.splice(0)).toEqual([body]);
      await waitFor(() => expect(edit()).toHaveFocus());
    }
    const email = field('email');
    await user.click(email.edit());
    expect(email.input()).toHaveAttribute('type', 'email');
    expect(email.input()).toHaveAttribute('placeholder', 'Enter email address');
    await user.click(email.cancel());

    const username = field('username');
    await user.click(username.edit());
    expect(username.input()).toHaveValue('ada');
    expect(username.root.querySelector('.ant-input-prefix')).toHaveTextContent('@');
    await user.clear(username.input());
    await user.click(username.save());
    await waitFor(() => expect(username.root).toHaveTextContent('Not set'));
    expect(sent).toEqual([{ userName: '' }]);
  });

  test('a field that is unchanged, cancelled or left with Escape sends nothing and shows its previous value', async () => {
    const sent = keepProfile({ displayName: 'Ada' });
    const { user, machine } = await openSettings();
    const { value, edit, input, save, cancel } = field('displayName');
    await user.click(edit());
    expect(input()).toHaveFocus();
    await user.click(save());
    expect(machine('profileField.displayName').state()).toBe('viewing');
    for (const leave of [() => user.click(cancel()), () => user.keyboard('{Escape}')]) {
      await user.click(edit());
      await user.clear(input());
      await user.type(input(), 'Somebody else');
      await leave();
      expect(machine('profileField.displayName').state()).toBe('viewing');
      expect(value()).toHaveTextContent('Ada');
    }
    expect(sent).toEqual([]);
  });

  test('a display name can have 80 emoji or letters, and invalid values show their errors at the field', async () => {
    const sent = keepProfile();
    const { user, machine } = await openSettings();
    const change = async (name: ProfileFieldName, value: string) => {
      const { edit, input, save } = field(name);
      await user.click(edit());
      await user.clear(input());
      await user.click(input());
      await user.paste(value);
      await user.click(save());
    };
    for (const name of ['🍊'.repeat(80), 'x'.repeat(80)]) {
      await change('displayName', name);
      await waitFor(() => expect(field('displayName').value()).toHaveTextContent(name));
    }
    sent.length = 0;
    for (const [name, value, sentence] of [
      ['displayName', '🍊'.repeat(81), 'Display Name must have at most 80 characters.'],
      ['displayName', '   ', 'Enter a display name.'],
      ['displayName', 'A\u202eb', 'Display Name must not contain invisible or control characters.'],
      ['username', 'u'.repeat(41), 'Username must have at most 40 characters.'],
      ['username', '@', 'Username must use only letters a–z, digits, dots, hyphens and underscores.'],
      ['bio', 'b'.repeat(1001), 'Bio must have at most 1,000 characters.'],
      ['email', 'not an address', 'Enter an email like name@example.com.'],
    ] as const) {
      await change(name, value);
      const { root, input, cancel } = field(name);
      await within(root).findByText(sentence);
      expect(machine(`profileField.${name}`).state()).toBe('editing');
      expect(input()).toHaveValue(value);
      expect(input()).toHaveFocus();
      await user.click(cancel());
    }
    expect(sent).toEqual([]);
  });

  test.each([
    ['username', 'TAKEN', 'Another account uses this username.'],
    ['email', 'taken@example.com', 'Another account uses this email.'],
  ] as const)('a taken %s shows its error at the field and stays in it', async (name, value, sentence) => {
    keepProfile();
    const problems = jest.spyOn(console, 'error').mockImplementation(() => {});
    network.use(http.post(profileCall, () => refusal(409, sentence)));
    const { user } = await openSettings();
    const { root, edit, input, save } = field(name);
    await user.click(edit());
    await user.clear(input());
    await user.type(input(), value);
    await user.click(save());
    await within(root).findByText(sentence);
    await expectToast('Update Failed', 'Failed to update profile: 409');
    expect(input()).toHaveValue(value);
    expect(input()).toHaveFocus();
    expect(problems).toHaveBeenCalledTimes(1);
  });

  test('a field is saved once when Save is clicked twice, and shows that it is saving', async () => {
    const sent = keepProfile({ bio: null });
    const held = pendingWork<void>();
    network.use(http.post(profileCall, () => held.promise.then(() => undefined)));
    const { user, machine } = await openSettings();
    const { edit, input, save, cancel } = field('bio');
    await user.click(edit());
    await user.type(input(), 'Once');
    await user.dblClick(save());
    await machine('profileField.bio').is('saving');
    expect(save()).toHaveTextContent('Saving...');
    expect(save()).toBeDisabled();
    expect(cancel()).toBeDisabled();
    expect(input()).toHaveAttribute('readonly');
    await held.answer();
    await machine('profileField.bio').is('viewing');
    expect(sent).toEqual([{ displayDesc: 'Once' }]);
  });

  test('a field keeps its input if the server can’t be reached, shows an error, and can be saved later', async () => {
    keepProfile();
    const problems = jest.spyOn(console, 'error').mockImplementation(() => {});
    const { user } = await openSettings();
    network.use(http.post(profileCall, () => HttpResponse.error(), { once: true }));
    const { root, value, edit, input, save } = field('bio');
    await user.click(edit());
    await user.type(input(), 'Typed in a tunnel');
    await user.click(save());
    await expectToast(
      'Update Failed',
      'Failed to update profile. The server couldn’t be reached. Check your connection and try again.',
    );
    expect(root).toHaveTextContent(
      'The server couldn’t be reached. Check your connection and try again. Your change is still here.',
    );
    expect(input()).toHaveValue('Typed in a tunnel');
    expect(problems.mock.calls[0]?.[0]).toBe('Saving bio failed');
    await user.click(save());
    await waitFor(() => expect(value()).toHaveTextContent('Typed in a tunnel'));
  });

  test.each([401, 403])(
    'a save that fails with %i reports an expired session and leads to the sign-in page',
    async (status) => {
      keepProfile();
      jest.spyOn(console, 'error').mockImplementation(() => {});
      const { user, address, machine } = await openSettings();
      const loggedOut: (string | null)[] = [];
      network.use(
        http.post(profileCall, () => refusal(status, 'no')),
        http.post('/api/v1/auth/logout', ({ request }) => {
          loggedOut.push(request.headers.get('authorization'));
          return new HttpResponse(null, { status: 204 });
        }),
      );
      const { edit, input, save } = field('bio');
      await user.click(edit());
      await user.type(input(), 'Too late');
      await user.click(save());
      await expectToast('Session Expired', 'Your session has expired. Redirecting to login...');
      await machine('session').is('signedOut');
      await waitFor(() => expect(address()).toBe('/login'));
      expect(loggedOut).toHaveLength(1);
    },
  );

  test('the email field explains before and after saving that it doesn’t change how the user signs in', async () => {
    keepProfile();
    const { user } = await openSettings();
    const { edit, input, save } = field('email');
    await user.click(edit());
    expect(input()).toHaveAccessibleDescription(
      'For messages about your account. Changing it doesn’t change how you sign in.',
    );
    await user.clear(input());
    await user.type(input(), 'new@example.com');
    await user.click(save());
    await expectToast('Profile Updated', 'Email saved. Your sign-in methods haven’t changed.');
  });

  test('a field is saved even if a remote service returns only part of the profile', async () => {
    keepProfile({ displayName: null });
    network.use(http.post(profileCall, () => json({ data: { updatedAt: ago } })));
    const { user } = await openSettings();
    const { value, edit, input, save } = field('displayName');
    await user.click(edit());
    await user.type(input(), 'Ada');
    await user.click(save());
    await expectToast('Profile Updated', 'saved.');
    expect(value()).toHaveTextContent('Ada');
  });

  test('the toast of the last save is dismissed when a field is edited again', async () => {
    keepProfile({ displayName: null });
    const { user } = await openSettings();
    const { edit, input, save } = field('displayName');
    await user.click(edit());
    await user.type(input(), 'Ada');
    await user.click(save());
    await expectToast('Profile Updated', 'saved.');
    expect(document.querySelector('.toast_root[data-state=open]')).toBeInTheDocument();
    await user.click(edit());
    expect(document.querySelector('.toast_root[data-state=open]')).toBeNull();
  });
});

describe('the country', () => {
  const options = () =>
    [...document.querySelectorAll('.settings_countryList .ant-select-item-option')].map(
      ({ textContent }) => textContent,
    );

  test('the country can be chosen from 79, found by typing, left unchanged by Cancel, and cleared', async () => {
    const sent = keepProfile();
    const { user, machine } = await openSettings();
    const { root, value, edit, input, save, cancel } = field('location');
    await user.click(edit());
    expect(root).toHaveTextContent('Select your country');
    await user.click(input());
    await waitFor(() => expect(options()).toHaveLength(79));
    expect(options()).toEqual([...countries]);
    await user.keyboard('{Enter}');
    expect(root.querySelector('.ant-select')).toHaveTextContent(countries[0]);
    await user.click(cancel());
    expect(root).toHaveTextContent('Not set');
    expect(sent).toEqual([]);

    await user.click(edit());
    await user.click(input());
    await user.keyboard('vietn');
    await waitFor(() => expect(options()).toEqual(['Vietnam']));
    await user.keyboard('{Enter}');
    await user.click(save());
    await waitFor(() => expect(value()).toHaveTextContent('Vietnam'));
    await user.click(edit());
    await user.click(save());
    expect(machine('profileField.location').state()).toBe('viewing');
    expect(sent).toEqual([{ country: 'Vietnam' }]);

    await user.click(edit());
    const clear = root.querySelector('.ant-select-clear');
    if (!clear) throw new Error('nothing clears the country');
    await user.click(clear);
    await user.click(save());
    await waitFor(() => expect(root).toHaveTextContent('Not set'));
    expect(sent.at(-1)).toEqual({ country: '' });
  });

  test('a country that is not in the list is shown and offered as an option', async () => {
    // A remote service can return such a country.
    const sent = keepProfile({ country: 'Zambia' });
    const { user } = await openSettings();
    const { root, value, edit, input, save } = field('location');
    expect(value()).toHaveTextContent('Zambia');
    await user.click(edit());
    expect(root.querySelector('.ant-select')).toHaveTextContent('Zambia');
    await user.click(input());
    await waitFor(() => expect(options()).toHaveLength(80));
    await user.keyboard('ital{Enter}');
    await user.click(save());
    await waitFor(() => expect(value()).toHaveTextContent('Italy'));
    expect(sent).toEqual([{ country: 'Italy' }]);
  });

  test('the country can be chosen with the keyboard only, and Escape closes first the list, then the field', async () => {
    keepProfile();
    const { user, machine } = await openSettings();
    const { value, edit, input, save } = field('location');
    const country = machine('profileField.location');
    edit().focus();
    await user.keyboard('{Enter}');
    expect(input()).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    await waitFor(() => expect(input()).toHaveAttribute('aria-expanded', 'true'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(input()).toHaveAttribute('aria-expanded', 'false'));
    expect(country.state()).toBe('editing');
    await user.keyboard('{Escape}');
    expect(country.state()).toBe('viewing');
    await user.keyboard('{Enter}');
    await user.keyboard('ital{Enter}');
    for (let presses = 0; presses < 5 && document.activeElement !== save(); presses++) await user.tab();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(value()).toHaveTextContent('Italy'));
  });
});

test('the sign-in section mentions a password only if the account has one', async () => {
  const { close } = await openSettings();
  expect(
    screen.getByText(/^Your password and sessions\. Your other sign-in methods are on/).parentElement,
  ).toHaveTextContent(/ are on your profile\.$/);
  close();
  await openSettings({ methods: [] });
  expect(
    screen.getByText(/^Your sessions and recent changes\. Your sign-in methods are on/).parentElement,
  ).toHaveTextContent(/ are on your profile\.$/);
});

test('‘Confirm email’ on the dashboard leads to the button that sends a new link, in view and focused', async () => {
  keepProfile({ emailVerified: false });
  const seen = jest.spyOn(Element.prototype, 'scrollIntoView');
  const { close } = await openSettings({ hash: '#confirm-email' });
  const send = await screen.findByRole('button', { name: 'Send new link' });
  await waitFor(() => expect(send).toHaveFocus());
  expect(seen.mock.contexts).toContain(send);
  close();
});

test('beside a new email, the confirmed one that stays in use is shown', async () => {
  keepProfile({ email: 'new@example.com', emailVerified: false, confirmedEmail: someone.email });
  await openSettings();
  const { root, value } = field('email');
  expect(value()).toHaveTextContent('new@example.com');
  expect(root).toHaveTextContent(`Until then, ${someone.email} stays in use.`);
});

test('an email confirmed elsewhere is shown as confirmed within five seconds, and polling then stops', async () => {
  jest.useFakeTimers({ now: Date.now() });
  keepProfile({ emailVerified: false });
  await openSettings();
  const { root } = field('email');
  expect(root).toHaveTextContent('Not confirmed');
  keepProfile({ emailVerified: true });
  await act(() => jest.advanceTimersByTimeAsync(5_000));
  await waitFor(() => expect(root).not.toHaveTextContent('Not confirmed'));
  const refetched = jest.fn(() => json(someone));
  network.use(http.get(userCall, refetched));
  await act(() => jest.advanceTimersByTimeAsync(30_000));
  expect(refetched).not.toHaveBeenCalled();
});

test('the email shows whether it is confirmed and, if not, how to confirm it', async () => {
  keepProfile({ emailVerified: true });
  await openSettings();
  const { root, value } = field('email');
  expect(within(root).getByText('Confirmed')).toBeInTheDocument();
  expect(root).not.toHaveTextContent('Confirm it');

  // The page refetches when it is shown again.
  keepProfile({ emailVerified: false });
  window.dispatchEvent(new Event('focus'));
  expect(await within(root).findByText('Not confirmed')).toBeInTheDocument();
  expect(within(root).getByRole('link', { name: 'Confirm it under Sign-in' })).toBeInTheDocument();
  expect(within(root).queryByText('Confirmed')).not.toBeInTheDocument();
  expect(field('displayName').root).not.toHaveTextContent('onfirmed');

  keepProfile({ email: null, emailVerified: false });
  network.use(http.get(sessionsCall, () => json([session('Safari on iPhone', false)])));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findByText('Safari on iPhone')).toBeInTheDocument();
  await waitFor(() => expect(value()).toHaveTextContent('Not set'));
  expect(root).not.toHaveTextContent('onfirmed');
});

test('a profile that fails to load shows an error, and Retry loads it', async () => {
  network.use(http.get(userCall, () => refusal(503, 'Not now')));
  const { user } = openPortal('/settings');
  const again = await screen.findByRole('button', { name: 'Retry' });
  expect(screen.getByText('Failed to load your profile')).toBeInTheDocument();
  keepProfile({ displayName: 'Ada' });
  network.use(
    http.get(methodsCall, () => json([])),
    http.get(sessionsCall, () => json([])),
    http.get(changesCall, () => json([])),
  );
  await user.click(again);
  await screen.findByRole('button', { name: 'Edit Display Name' });
  expect(field('displayName').root).toHaveTextContent('Ada');
});

describe('the confirmation of an unconfirmed email', () => {
  const resendCall = '/api/v1/auth/email/confirm/again';
  const unconfirmed = (label: string): SignInMethod => ({ ...method('email', label), isVerified: false });
  const note = () => screen.getByRole('note');
  const sentence = () => within(note()).getByRole('status').textContent;

  test.each([
    [
      'one email',
      'ada@example.com',
      'Send new link',
      'Check the inbox of ada@example.com for a confirmation link. If it hasn’t arrived or has expired, request a new one.',
      'We sent a new link to ada@example.com. It works once and expires in 24 hours.',
    ],
    [
      'the emails of the profile and of the sign-in',
      'ada@example.org',
      'Send new links',
      'Check the inboxes of ada@example.com and ada@example.org for confirmation links. If one hasn’t arrived or has expired, request new ones.',
      'We sent new links to ada@example.com and ada@example.org. Each works once and expires in 24 hours.',
    ],
  ])('says where to look and what was sent: %s', async (_, label, button, open, sent) => {
    keepProfile({ emailVerified: false });
    network.use(http.post(resendCall, () => json({ sent: 1 })));
    const { user, machine } = await openSettings({ methods: [unconfirmed(label)] });
    expect(within(note()).getByText('Confirm your email address')).toBeInTheDocument();
    expect(sentence()).toBe(open);
    expect(within(note()).getByRole('link', { name: /^Open the development mailbox/ })).toHaveAttribute(
      'href',
      '/dev/mailbox',
    );
    await user.click(within(note()).getByRole('button', { name: button }));
    await machine('confirmationResend').is('succeeded');
    await waitFor(() => expect(sentence()).toBe(sent));
  });

  test('says so if the portal can’t send email', async () => {
    keepProfile({ emailVerified: false });
    network.use(http.post(resendCall, () => refusal(501, 'No mail', 'auth.mailNotConfigured')));
    const { user } = await openSettings({ methods: [unconfirmed('ada@example.com')] });
    await user.click(within(note()).getByRole('button', { name: 'Send new link' }));
    expect((await within(note()).findByRole('alert')).textContent).toBe(
      'This portal can’t send email. Its operator has to set SMTP_URL first.',
    );
  });
});

test('an account that another portal manages says where to change its sign-in methods and its email', async () => {
  const other = 'https://id.example.com';
  jest.replaceProperty(config.identity, 'baseUrl', other);
  jest.spyOn(console, 'error').mockImplementation(() => {});
  const foreign = () => refusal(401, 'Foreign', 'auth.tokenForeign');
  network.use(
    http.get(`${other}${userCall}`, () => json({ ...someone, emailVerified: false })),
    http.get(`${other}${methodsCall}`, foreign),
    http.post(`${other}${profileCall}`, foreign),
    http.post(profileCall, foreign),
  );
  const { user } = openPortal('/settings');
  const signIn = await screen.findByRole('region', { name: 'Sign-in' });
  const note = await within(signIn).findByRole('note');
  expect(within(note).getByText('id.example.com manages your account')).toBeInTheDocument();
  expect(
    within(note).getByText('Sign in there to change your sign-in methods, password or sessions.'),
  ).toBeInTheDocument();
  expect(within(note).getByRole('link', { name: 'Open id.example.com' })).toHaveAttribute(
    'href',
    'https://id.example.com/settings',
  );
  const deletion = within(screen.getByRole('region', { name: 'Delete account' }));
  expect(deletion.getByText('Sign in there to delete your account.')).toBeInTheDocument();
  expect(deletion.getByRole('link')).toHaveAttribute('href', 'https://id.example.com/settings');
  const { root, edit, input, save } = field('email');
  expect(within(root).getByText('Check your inbox for a confirmation link.')).toBeInTheDocument();
  await user.click(edit());
  await user.clear(input());
  await user.type(input(), 'new@example.com');
  await user.click(save());
  expect(
    await within(root).findByText(
      'Your account is managed at id.example.com. Change your confirmed email there.',
    ),
  ).toBeInTheDocument();
});

describe('sign-in', () => {
  test('an account without an email method has no password to change', async () => {
    await openSettings({ methods: [method('wallet', '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e')] });
    expect(screen.getByRole('list', { name: 'Active sessions' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Change password' })).not.toBeInTheDocument();
  });

  test('a new password that is too short or differs from its confirmation shows errors at its fields, without a request', async () => {
    const { user, machine } = await openSettings();
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(screen.getByLabelText('Current password')).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Show new password' }));
    const types = ['Current password', 'New password', 'Confirm password'].map((label) =>
      screen.getByLabelText(label).getAttribute('type'),
    );
    expect(types).toEqual(['password', 'text', 'text']);
    expect(screen.getByRole('button', { name: 'Hide new password' })).toHaveAttribute('aria-pressed', 'true');
    await user.type(screen.getByLabelText('Current password'), 'correct horse battery');
    await user.type(screen.getByLabelText('New password'), 'short');
    await user.type(screen.getByLabelText('Confirm password'), 'other');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('The new password must have at least 8 characters.')).toBeInTheDocument();
    expect(screen.getByText('The passwords don’t match.')).toBeInTheDocument();
    expect(screen.getByLabelText('New password')).toHaveFocus();
    expect(machine('passwordChange').state()).toBe('entering');
  });

  test('Escape cancels the change of the password, except one that ends an input method’s composition', async () => {
    const { user, machine } = await openSettings();
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    const field = screen.getByLabelText('New password');
    fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
    expect(machine('passwordChange').state()).toBe('entering');
    fireEvent.keyDown(field, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByLabelText('New password')).not.toBeInTheDocument());
  });

  test('a password confirmation that the server rejects shows the error at its field', async () => {
    const details = [{ path: 'passwordConfirm', message: 'must be the same as the password' }];
    network.use(
      http.post('/api/v1/auth/email/change', () =>
        json(errorBody('request.invalid', undefined, details), 400),
      ),
    );
    const { user } = await openSettings();
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    await user.type(screen.getByLabelText('Current password'), 'correct horse battery');
    await user.type(screen.getByLabelText('New password'), 'a new horse battery');
    await user.type(screen.getByLabelText('Confirm password'), 'a new horse battery{Enter}');
    expect(
      await screen.findByText('The password confirmation must be the same as the password.'),
    ).toBeInTheDocument();
    expect(screen.getByLabelText('Confirm password')).toHaveFocus();
  });

  test('a changed password keeps this session with new tokens, and updates the sessions and the recent changes', async () => {
    const sent: unknown[] = [];
    const newToken = unsignedToken(Date.now() + 7_200_000);
    network.use(
      http.post('/api/v1/auth/email/change', async ({ request }) => {
        sent.push(await request.json());
        if (sent.length === 1) return refusal(403, 'Wrong', 'auth.passwordWrong');
        return json({ user: { id: someone.id }, token: { accessToken: newToken, refreshToken: 'newer' } });
      }),
    );
    const { user } = await openSettings({
      sessions: [session('Chrome on Linux', true), session('Safari on iPhone')],
    });
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    await user.type(screen.getByLabelText('Current password'), 'wrong horse battery');
    await user.type(screen.getByLabelText('New password'), 'a new horse battery');
    await user.type(screen.getByLabelText('Confirm password'), 'a new horse battery');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('The current password is wrong.')).toBeInTheDocument();
    expect(screen.getByLabelText('Current password')).toHaveFocus();
    expect(screen.getByLabelText('New password')).toHaveValue('a new horse battery');
    network.use(
      http.get(sessionsCall, () => json([session('Chrome on Linux', true)])),
      http.get(changesCall, () =>
        json([
          {
            id: 'change',
            kind: 'passwordChanged',
            provider: null,
            label: null,
            device: null,
            at: ago,
          } satisfies AccountChange,
        ]),
      ),
    );
    await user.clear(screen.getByLabelText('Current password'));
    await user.type(screen.getByLabelText('Current password'), 'correct horse battery{Enter}');
    await expectToast('Password Changed', 'You’re still signed in here. All other sessions have ended.');
    expect(screen.getByRole('button', { name: 'Change password' })).toHaveFocus();
    expect(await screen.findByText('Your password was changed')).toBeInTheDocument();
    await waitFor(() =>
      expect(
        within(screen.getByRole('list', { name: 'Active sessions' })).getAllByRole('listitem'),
      ).toHaveLength(1),
    );
    expect(localStorage.getItem(storageKeys.accessToken)).toBe(newToken);
    expect(localStorage.getItem(storageKeys.refreshToken)).toBe('newer');
    const change = { password: 'a new horse battery', passwordConfirm: 'a new horse battery' };
    expect(sent).toEqual([
      { currentPassword: 'wrong horse battery', ...change },
      { currentPassword: 'correct horse battery', ...change },
    ]);
  });

  test('an account that another service manages, without a session known here, shows an explanation', async () => {
    network.use(
      http.get(methodsCall, () => refusal(404, 'Not found')),
      http.get(sessionsCall, () => refusal(404, 'Not found')),
      http.get(changesCall, () => json([])),
    );
    openPortal('/settings');
    expect(await screen.findByText('No sessions to show')).toBeInTheDocument();
    expect(
      screen.getByText('Another service manages your account and lists its sessions.'),
    ).toBeInTheDocument();
  });

  test('a session on an unknown device says so in its row and on its button', async () => {
    await openSettings({
      sessions: [session('Chrome on Linux', true), { ...session('unknown'), device: null }],
    });
    const [, row] = within(screen.getByRole('list', { name: 'Active sessions' })).getAllByRole('listitem');
    expect(within(row!).getByText('Unknown device')).toBeInTheDocument();
    expect(within(row!).getByRole('button')).toHaveAccessibleName(
      /^End the session on an unknown device, signed in 2 Jan 2026/,
    );
  });

  test('recent changes name what changed, on which device and what to do, and five show at first', async () => {
    const change = (
      kind: AccountChange['kind'],
      at: number,
      device: string | null = null,
    ): AccountChange => ({
      id: `change ${at}`,
      kind,
      provider: null,
      label: null,
      device,
      at: new Date(Date.now() - (at + 0.5) * 86_400_000).toISOString(),
    });
    const { user } = await openSettings({
      changes: [
        { ...change('methodAdded', 1, 'Firefox on Windows'), provider: 'email', label: 'ada@example.com' },
        change('passwordChanged', 2),
        change('passwordReset', 3),
        change('signedOutEverywhere', 4),
        { ...change('methodLost', 5), provider: 'email', label: 'eve@example.com' },
        { ...change('methodRemoved', 6), provider: 'google', label: 'ada@example.org' },
        change('methodRemoved', 7),
      ],
    });
    const list = screen.getByRole('list', { name: 'Recent changes' });
    const texts = () =>
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    const shown = [
      'Email ada@example.com was addedFirefox on Windows · 1 d ago',
      'Your password was changed2 d ago',
      'Your password was reset with a link sent to your email3 d ago',
      'All sessions were signed out4 d ago',
      'Email eve@example.com was removed because someone else confirmed that email5 d ago',
    ];
    expect(texts()).toEqual(shown);
    await user.click(screen.getByRole('button', { name: 'Show 2 more' }));
    expect(texts()).toEqual([
      ...shown,
      'Google account ada@example.org was removed6 d ago',
      'A sign-in method was removed7 d ago',
    ]);
    expect(list).toHaveFocus();
    expect(screen.queryByRole('button', { name: /^Show/ })).not.toBeInTheDocument();
    expect(screen.getByText(/^If you didn’t make/)).toHaveTextContent(
      'If you didn’t make one of these changes, review your sign-in methods, sign out everywhere and, if you have a password, change it.',
    );
    expect(screen.getByRole('link', { name: 'your sign-in methods' })).toHaveAttribute(
      'href',
      '/login?from=profile',
    );
  });

  test('recent changes that fail to load show an error, and Retry loads them', async () => {
    network.use(
      http.get(methodsCall, () => json([])),
      http.get(sessionsCall, () => json([])),
      http.get(changesCall, () => refusal(503, 'Not now')),
    );
    const { user } = openPortal('/settings');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Failed to load recent changes');
    network.use(http.get(changesCall, () => json([])));
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No recent changes')).toBeInTheDocument();
  });

  test('sessions that fail to load or to end show an error, and the list stays', async () => {
    const sessions = [session('Chrome on Linux', true), session('Safari on iPhone')];
    network.use(
      http.get(methodsCall, () => json([])),
      http.get(changesCall, () => json([])),
      http.get(sessionsCall, () => refusal(503, 'Not now')),
    );
    const { user, machine } = openPortal('/settings');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Failed to load your sessions');
    expect(screen.queryByRole('button', { name: 'Sign out everywhere' })).not.toBeInTheDocument();
    network.use(http.get(sessionsCall, () => json(sessions)));
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    const list = await screen.findByRole('list', { name: 'Active sessions' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(2);

    network.use(http.delete(`${sessionsCall}/:id`, () => HttpResponse.error()));
    await user.click(
      screen.getByRole('button', { name: /^End the session on Safari on iPhone, signed in 2 Jan 2026/ }),
    );
    await expectToast('Couldn’t End Session', 'The server couldn’t be reached.');
    expect(within(list).getAllByRole('listitem')).toHaveLength(2);

    network.use(http.delete(sessionsCall, () => HttpResponse.error()));
    await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('The server couldn’t be reached.');
    network.use(
      http.delete(sessionsCall, () => new HttpResponse(null, { status: 204 })),
      http.post('/api/v1/auth/logout', () => refusal(401, 'Not authenticated')),
    );
    await user.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
    await machine('session').is('signedOut');
  });
});

describe('the unsaved input of a field', () => {
  /** Asserts that the field is open with this text. */
  const expectTyped = (text: string) =>
    waitFor(() => {
      expect(field('displayName').root).toHaveAttribute('data-state', 'editing');
      expect(field('displayName').input()).toHaveValue(text);
    });
  const type = async ({ user }: Portal, text: string) => {
    const { edit, input } = field('displayName');
    await user.click(edit());
    await user.clear(input());
    await user.type(input(), text);
  };
  const expectValue = async (text: string) => {
    await openSettings();
    expect(field('displayName').root).toHaveAttribute('data-state', 'viewing');
    expect(field('displayName').value()).toHaveTextContent(text);
  };

  test('unsaved input survives a visit to another page and a reload, and is cleared once saved', async () => {
    keepProfile({ displayName: 'Ada' });
    keepProjects();
    const first = await openSettings();
    await type(first, 'Grace');
    await first.goTo('/projects');
    await screen.findByRole('heading', { name: 'My Projects', level: 1 });
    await first.goBack();
    await expectTyped('Grace');
    first.close();

    const second = await openSettings();
    await expectTyped('Grace');
    await second.user.click(field('displayName').save());
    await waitFor(() => expect(field('displayName').value()).toHaveTextContent('Grace'));
    second.close();
    await expectValue('Grace');
  });

  test('unsaved input is restored after the session ended on another device, until Cancel drops it', async () => {
    keepProfile({ displayName: 'Ada' });
    const live = answerLive();
    const first = await openSettings();
    await first.machine('realtime').is('live.current');
    await type(first, 'Countess of Lovelace');
    network.use(http.get(userCall, () => refusal(401, 'Ended')));
    live.say('session.ended', { reason: 'signedOut' });
    await waitFor(() => expect(first.address()).toBe('/login'));
    await expectToast(
      'Signed Out',
      'Your session was ended from another device, or it expired. Sign in again in this tab to continue where you left off.',
    );
    first.close();

    keepProfile({ displayName: 'Ada' });
    const second = await openSettings();
    await expectTyped('Countess of Lovelace');
    expect(field('email').root).toHaveAttribute('data-state', 'viewing');
    await second.user.click(field('displayName').cancel());
    second.close();
    await expectValue('Ada');
  });

  test('unsaved input is not shown to the next user of the tab', async () => {
    keepProfile({ displayName: 'First' });
    const first = await openSettings();
    await type(first, 'Secret of the first');
    first.close();
    keepProfile({ id: 'user-2', displayName: 'Second' });
    await expectValue('Second');
    expect(document.body).not.toHaveTextContent('Secret of the first');
  });
});
