import { expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { act, render, screen } from '@testing-library/react';
import { ToastProvider, useToast, useToastDismissal } from './toast';

jest.mock('./ToastRegion', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

function Buttons() {
  const show = useToast();
  const dismiss = useToastDismissal();
  return (
    <>
      <button onClick={() => show({ tone: 'error', title: 'Failed', description: 'Try again.' })}>
        Fail
      </button>
      <button onClick={() => show({ tone: 'success', title: 'Done' })}>Succeed</button>
      <button onClick={dismiss}>Dismiss</button>
    </>
  );
}

test('a toast whose code can’t be loaded shows as plain text, for as long as another toast', async () => {
  jest.useFakeTimers();
  render(
    <ToastProvider>
      <Buttons />
    </ToastProvider>,
  );
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  const press = async (name: string) => {
    act(() => screen.getByRole('button', { name }).click());
    await pass(0);
  };
  const text = () => screen.queryByRole('alert')?.textContent;
  expect(text()).toBeUndefined();
  await press('Fail');
  expect(text()).toBe('Failed: Try again.');
  await pass(limits.toastMs - 1);
  expect(text()).toBe('Failed: Try again.');
  await pass(1);
  expect(text()).toBeUndefined();

  await press('Fail');
  await press('Succeed');
  expect(text()).toBe('Done');
  await press('Dismiss');
  expect(text()).toBeUndefined();
});
