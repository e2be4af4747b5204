import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { replacementSettled } from './token.replacement';

const request = jest.fn<(name: string, options: LockOptions) => Promise<void>>();
const { navigator } = globalThis;
const setNavigator = (value: unknown) =>
  Object.defineProperty(globalThis, 'navigator', { value, configurable: true });
beforeEach(() => void setNavigator({ locks: { request } }));
afterEach(() => {
  request.mockReset();
  setNavigator(navigator);
});

test('waiting for other tabs shares their lock, and ends without an error when the time is up', async () => {
  request.mockRejectedValue(new DOMException('The time is up', 'TimeoutError'));
  await expect(replacementSettled(1_000)).resolves.toBeUndefined();
  expect(request.mock.calls[0]?.[1]).toMatchObject({ mode: 'shared', signal: expect.any(AbortSignal) });
});

test('a defect while waiting for other tabs is not taken for a time-out', async () => {
  request.mockRejectedValue(new TypeError('No such function'));
  await expect(replacementSettled(1_000)).rejects.toThrow('No such function');
});

test('a browser without locks waits for nothing', async () => {
  setNavigator({});
  await expect(replacementSettled(1_000)).resolves.toBeUndefined();
});
