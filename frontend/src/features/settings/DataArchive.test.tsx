import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ArchiveState } from '@orange-id/contract/archive.schema';
import { render, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { ConfigContext } from '../../api/config/config.context';
import { expectToast } from '../../testing/expect.toast';
import { json, network, refusal } from '../../testing/network';
import { config, openPortal } from '../../testing/open.portal';
import { DataArchive } from './DataArchive';

const path = '/api/account/archive';
const ready: ArchiveState = {
  state: 'ready',
  askedAt: '2026-01-01T12:00:00.000Z',
  expiresAt: '2026-01-02T12:00:00.000Z',
};
let state: ArchiveState;
let asked = 0;

beforeEach(() => {
  state = { state: 'none', askedAt: null, expiresAt: null };
  asked = 0;
  network.use(
    http.get('/api/v1/auth/identifiers', () => json([])),
    http.get('/api/v1/auth/sessions', () => json([])),
    http.get('/api/v1/auth/changes', () => json([])),
    http.get(path, () => json(state)),
    http.post(path, () => {
      asked += 1;
      state = { ...ready, state: 'preparing' };
      return json(state);
    }),
    http.get(`${path}/file`, () => json({ profile: { email: 'ada@example.com' } })),
  );
});
afterEach(() => void jest.restoreAllMocks());

describe('the archive of the user’s data', () => {
  test('is asked for once, then appears without a reload', async () => {
    const { user } = openPortal('/settings');
    await screen.findByText('We prepare the file in the background and keep it for 24 hours.');
    await user.dblClick(screen.getByRole('button', { name: 'Download my data' }));
    await screen.findByText('We’re preparing your file. It appears here, and we email you.');
    expect(screen.queryByRole('button', { name: 'Download my data' })).toBeNull();
    expect(asked).toBe(1);
    state = ready;
    expect(await screen.findByRole('button', { name: 'Download file' }, { timeout: 5_000 })).toBeVisible();
  });

  test('is saved as a file', async () => {
    state = ready;
    const saved: Blob[] = [];
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => {
        saved.push(blob);
        return 'blob:file';
      },
      revokeObjectURL: () => undefined,
    });
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    const { user } = openPortal('/settings');
    await user.click(await screen.findByRole('button', { name: 'Download file' }));
    await waitFor(() => expect(click).toHaveBeenCalledTimes(1));
    expect(saved).toHaveLength(1);
    expect(saved[0]?.type).toBe('application/json');
  });

  test('that has expired meanwhile can be asked for again', async () => {
    state = ready;
    network.use(
      http.get(`${path}/file`, () => {
        state = { state: 'none', askedAt: null, expiresAt: null };
        return refusal(404, 'Gone', 'account.archiveMissing');
      }),
    );
    const { user } = openPortal('/settings');
    await user.click(await screen.findByRole('button', { name: 'Download file' }));
    await expectToast('Couldn’t Get Your Data', expect.any(String) as unknown as string);
    expect(await screen.findByRole('button', { name: 'Download my data' })).toBeVisible();
  });

  test('is not offered with a hosted identity service', () => {
    const identity = { ...config.identity, baseUrl: 'https://id.example.com' };
    const { container } = render(
      <ConfigContext.Provider value={{ ...config, identity }}>
        <DataArchive />
      </ConfigContext.Provider>,
    );
    expect(container).toBeEmptyDOMElement();
  });
});
