import { expect, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { http } from 'msw';
import { json, network } from '../../testing/network';
import { VanishedError } from '../vanished.error';
import { removeWhitelistUrl } from './remove.whitelist.url';

const remove = (answer: { success: boolean; deleted: number }) => {
  network.use(http.delete('/devportal/v1/project/whitelist', () => json(answer)));
  const project = { code: 'orange-k3x9p2m7qa', projectName: 'Acme' };
  return removeWhitelistUrl(new QueryClient(), { project, url: 'https://acme.example.com' });
};

test('a removal that the server rejects without a reason says what to do', async () => {
  await expect(remove({ success: false, deleted: 0 })).rejects.toThrow(
    'The server rejected the change without giving a reason. Reload the page and try again',
  );
});

test('a URL that was already removed is reported as gone', async () => {
  await expect(remove({ success: true, deleted: 0 })).rejects.toEqual(new VanishedError('url'));
  await expect(remove({ success: true, deleted: 1 })).resolves.toBeUndefined();
});
