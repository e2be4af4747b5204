import { beforeEach, expect, jest, test } from '@jest/globals';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import type { PictureAnswer } from '@orange-id/contract/profile.schema';
import userEvent from '@testing-library/user-event';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expectToast } from '../../testing/expect.toast';
import { json, network, refusal, someone } from '../../testing/network';
import { config, openPortal } from '../../testing/open.portal';
import { pendingWork } from '../../testing/pending.work';

const uploadCall = '/api/v1/user/profile/upload';

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
});

const png = (bytes = 100, type = 'image/png') => new File([new Uint8Array(bytes)], 'me.png', { type });

/** Opens Settings for a user with this picture. `sent`: file names of the uploaded pictures. */
async function openAvatar({ picture = null, ...known }: Partial<IdentityUser> = {}) {
  let user: IdentityUser = { ...someone, ...known, picture };
  const sent: string[] = [];
  const takePicture = async ({ request }: { request: Request }) => {
    expect(request.headers.get('ocp-apim-subscription-key')).toBe(config.identity.subscriptionKey);
    expect(request.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
    const body = await request.text();
    expect(body).toContain('name="file"');
    const name = /filename="([^"]*)"/.exec(body)?.[1] ?? 'none';
    sent.push(name);
    const address = name === 'default-avatar.jpg' ? '/default-avatar.jpg' : `/avatars/${sent.length}.png`;
    user = { ...user, picture: address };
    return json({ picture: address } satisfies PictureAnswer);
  };
  network.use(
    http.get('/api/v1/auth/user', () => json(user)),
    http.get('/api/v1/auth/identifiers', () => json([])),
    http.get('/api/v1/auth/sessions', () => json([])),
    http.get('/api/v1/auth/changes', () => json([])),
    http.get('/default-avatar.jpg', () => HttpResponse.arrayBuffer(new Uint8Array(10).buffer)),
    http.post(uploadCall, takePicture),
  );
  const portal = openPortal('/settings');
  const root = await waitFor(() => {
    const found = document.querySelector<HTMLElement>('[data-machine="avatar"]');
    if (!found) throw new Error('no picture yet');
    return found;
  });
  const input = root.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('nothing to choose a file with');
  return {
    ...portal,
    sent,
    input,
    avatar: portal.machine('avatar'),
    upload: within(root).getByRole('button', { name: /^Upload/ }),
    remove: within(root).getByRole('button', { name: /^Delet/ }),
    picture: () => root.querySelector('.settings_avatarPicture'),
    image: () => root.querySelector('.settings_avatarPicture img'),
    note: () => root.querySelector('.settings_avatarNote'),
    /** Chooses a file as in the browser's file dialog. */
    choose: (file: File) => portal.user.upload(input, file),
    confirm: async () => {
      const dialog = await screen.findByRole('dialog', { name: 'Delete photo' });
      await portal.user.click(within(dialog).getByRole('button', { name: 'Delete photo' }));
    },
  };
}

test('an uploaded picture shows here and in the header, and the button shows the upload in progress', async () => {
  const { upload, remove, picture, image, choose, avatar, sent } = await openAvatar({ displayName: 'ada' });
  expect(picture()).toHaveTextContent('A');
  const held = pendingWork<void>();
  network.use(http.post(uploadCall, () => held.promise.then(() => undefined)));
  await choose(png());
  await avatar.is('uploading');
  expect(upload).toHaveTextContent('Uploading...');
  expect(upload).toBeDisabled();
  expect(remove).toBeDisabled();
  await held.answer();
  await expectToast('Photo Updated', 'Your new photo is saved.');
  expect(sent).toEqual(['me.png']);
  expect(avatar.state()).toBe('idle');
  expect(upload).toHaveTextContent('Upload photo');
  expect(image()).toHaveAttribute('src', '/avatars/1.png');
  expect(document.querySelector('header .user-avatar_root img')).toHaveAttribute('src', '/avatars/1.png');
});

test('a picture is deleted after confirmation, by uploading the default picture under its file name', async () => {
  const portal = await openAvatar({ picture: '/avatars/mine.png' });
  const { user, upload, remove, image, note, avatar, sent } = portal;
  await user.click(remove);
  const dialog = await screen.findByRole('dialog', { name: 'Delete photo' });
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await user.keyboard('{Escape}');
  await avatar.is('idle');
  expect(sent).toEqual([]);

  const held = pendingWork<void>();
  network.use(http.post(uploadCall, () => held.promise.then(() => undefined)));
  await user.click(remove);
  await portal.confirm();
  await avatar.is('deleting');
  expect(remove).toHaveTextContent('Deleting...');
  expect(remove).toBeDisabled();
  expect(upload).toBeDisabled();
  await held.answer();
  await expectToast('Avatar Deleted', 'Your profile now shows the default photo.');
  expect(sent).toEqual(['default-avatar.jpg']);
  expect(image()).toHaveAttribute('src', '/default-avatar.jpg');
  expect(document.querySelector('header .user-avatar_root img')).toHaveAttribute(
    'src',
    '/default-avatar.jpg',
  );
  expect(remove).toHaveTextContent('Delete photo');
  expect(remove).toBeDisabled();
  expect(note()).toContainElement(screen.getByText('No photo uploaded.'));
});

test('a picture can be deleted with the keyboard only, and the focus then goes to Upload photo', async () => {
  const { user, upload, remove, input, avatar } = await openAvatar({ picture: '/avatars/mine.png' });
  upload.focus();
  await user.tab();
  expect(remove).toHaveFocus();
  await user.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Delete photo' });
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await user.tab();
  expect(within(dialog).getByRole('button', { name: 'Delete photo' })).toHaveFocus();
  await user.keyboard('{Enter}');
  await expectToast('Avatar Deleted', 'default photo');
  // The delete button is now disabled.
  await waitFor(() => expect(upload).toHaveFocus());
  // The browser's file dialog returns the focus to the button that opened it.
  const held = pendingWork<void>();
  network.use(http.post(uploadCall, () => held.promise.then(() => undefined)));
  const opened = jest.spyOn(input, 'click').mockImplementation(() => undefined);
  await user.keyboard('{Enter}');
  expect(opened).toHaveBeenCalledTimes(1);
  opened.mockRestore();
  await user.upload(input, png());
  upload.focus();
  await avatar.is('uploading');
  // A disabled button loses the focus in a browser.
  input.blur();
  upload.blur();
  await held.answer();
  await expectToast('Photo Updated', 'new photo is saved');
  expect(avatar.state()).toBe('idle');
  await waitFor(() => expect(upload).toHaveFocus());
});

test('a file of 1 MB and one that isn’t an image are rejected without a request, and one byte less is accepted', async () => {
  const { choose, input, note, avatar, sent } = await openAvatar();
  await choose(png(limits.avatarMaxBytes));
  await expectToast('File Too Large', 'Please select an image smaller than 1MB.');
  expect(note()).toHaveTextContent('Please select an image smaller than 1MB.');
  expect(input).toHaveValue('');
  expect(avatar.state()).toBe('idle');

  // A browser's file dialog suggests images but allows any file.
  await userEvent.setup({ delay: null, applyAccept: false }).upload(input, png(10, 'text/plain'));
  await expectToast('Invalid File Type', 'Please select an image file (JPG, PNG, etc.).');
  expect(sent).toEqual([]);

  await choose(png(limits.avatarMaxBytes - 1));
  await expectToast('Photo Updated', 'new photo is saved');
  expect(note()).toHaveTextContent('under 1 MB');
  expect(sent).toEqual(['me.png']);
});

test('a file that the server rejects because it isn’t a picture shows the server’s reason and can be chosen again', async () => {
  const { choose, input, picture, avatar } = await openAvatar({ displayName: 'Ada' });
  const found = 'The file is an SVG drawing. Choose a JPG, PNG, WebP, GIF or AVIF';
  network.use(http.post(uploadCall, () => refusal(415, found, 'profile.pictureInvalid')));
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await choose(png());
    await expectToast('Upload Failed', `${found}.`);
    await avatar.is('idle');
    expect(input).toHaveValue('');
    expect(picture()).toHaveTextContent('A');
  }
});

test('a failed upload and a failed deletion show their errors in a toast and the console, and keep the picture', async () => {
  const { user, choose, remove, image, note, confirm } = await openAvatar({ picture: '/avatars/mine.png' });
  network.use(http.post(uploadCall, () => refusal(503, 'Not now')));
  await choose(png());
  await expectToast('Upload Failed', 'The service is unavailable right now. Try again in a minute.');
  expect(image()).toHaveAttribute('src', '/avatars/mine.png');
  await user.click(remove);
  await confirm();
  await expectToast(
    'Delete Failed',
    'Failed to delete avatar: The service is unavailable right now. Try again in a minute.',
  );
  expect(note()).toHaveTextContent(
    'Failed to delete avatar: The service is unavailable right now. Try again in a minute.',
  );
  expect(jest.mocked(console.error).mock.calls.map(([words]) => words as unknown)).toEqual([
    'The upload of the picture failed',
    'The deletion of the picture failed',
  ]);

  network.use(http.post(uploadCall, () => HttpResponse.error()));
  await choose(png());
  await expectToast('Upload Failed', 'The server couldn’t be reached.');
  await user.click(remove);
  await confirm();
  await expectToast('Delete Failed', 'Failed to delete avatar: The server couldn’t be reached.');
  expect(image()).toHaveAttribute('src', '/avatars/mine.png');
  network.use(http.post(uploadCall, () => json({ picture: '/avatars/new.png' } satisfies PictureAnswer)));
  await choose(png());
  await expectToast('Photo Updated', 'new photo is saved');
});

test.each([401, 403])(
  'an upload that fails with %i reports an expired session and leads to the sign-in page',
  async (status) => {
    const { choose, machine, address } = await openAvatar();
    network.use(
      http.post(uploadCall, () => refusal(status, 'no')),
      http.post('/api/v1/auth/logout', () => new HttpResponse(null, { status: 204 })),
    );
    await choose(png());
    await expectToast('Session Expired', 'Your session has expired. Redirecting to login...');
    await machine('session').is('signedOut');
    await waitFor(() => expect(address()).toBe('/login'));
  },
);

test.each([401, 403])(
  'a deletion that fails with %i reports an expired session and stays on the page',
  async (status) => {
    const { user, remove, confirm, avatar, machine, address } = await openAvatar({
      picture: '/avatars/mine.png',
    });
    network.use(http.post(uploadCall, () => refusal(status, 'no')));
    await user.click(remove);
    await confirm();
    await expectToast('Session Expired', 'Your session has expired. Redirecting to login...');
    await avatar.is('idle');
    expect(machine('session').state()).toBe('signedIn.current');
    expect(address()).toBe('/settings');
  },
);

test('a picture that does not load is replaced by the first letter of the name, or by its whole first emoji', async () => {
  const { picture, image } = await openAvatar({ displayName: '👩‍👩‍👧 and co', picture: '/no-such-picture.png' });
  const broken = image();
  if (!broken) throw new Error('no picture');
  fireEvent.error(broken);
  await waitFor(() => expect(picture()).toHaveTextContent('👩‍👩‍👧'));
});
