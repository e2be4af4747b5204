import { expect, jest, test } from '@jest/globals';
import { limits } from '@orange-id/contract/limits';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { copiedText } from '../src/testing/clipboard';
import { pageOutline } from '../src/testing/page.outline';
import { WalletPairing } from './WalletPairing';

const uri = 'wc:1@2?relay-protocol=irn&symKey=3';

test('the view waits for the code, then shows it with a link for a wallet on this device', () => {
  const { rerender } = render(<WalletPairing uri={null} onCancel={() => {}} />);
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeDisabled();
  expect(pageOutline().join('\n')).toMatchSnapshot('waiting');
  rerender(<WalletPairing uri={uri} onCancel={() => {}} />);
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeEnabled();
  expect(screen.getByRole('link', { name: 'Open a wallet on this device' })).toHaveAttribute('href', uri);
  expect(pageOutline().join('\n')).toMatchSnapshot('offered');
});

test('the link is copied, and the button says so for 2 seconds', async () => {
  jest.useFakeTimers();
  const user = userEvent.setup({ delay: null, advanceTimers: (ms) => jest.advanceTimersByTime(ms) });
  const onCancel = jest.fn();
  render(<WalletPairing uri={uri} onCancel={onCancel} />);
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  expect(await screen.findByRole('button', { name: 'Copied!' })).toBeInTheDocument();
  expect(await copiedText()).toBe(uri);
  await act(() => jest.advanceTimersByTimeAsync(limits.copyFeedbackMs - 1));
  expect(screen.getByRole('button', { name: 'Copied!' })).toBeInTheDocument();
  await act(() => jest.advanceTimersByTimeAsync(1));
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onCancel).toHaveBeenCalledTimes(1);
});

test('a browser that refuses the clipboard is reported on the button', async () => {
  const user = userEvent.setup({ delay: null });
  render(<WalletPairing uri={uri} onCancel={() => {}} />);
  jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not focused'));
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  expect(await screen.findByRole('button', { name: 'Couldn’t copy the link' })).toBeInTheDocument();
});

test('on plain http, where pages have no clipboard, the link is copied by selection', async () => {
  const user = userEvent.setup({ delay: null });
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  let copied = '';
  document.execCommand = () => {
    copied = (document.activeElement as HTMLTextAreaElement).value;
    return true;
  };
  render(<WalletPairing uri={uri} onCancel={() => {}} />);
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  await screen.findByRole('button', { name: 'Copied!' });
  expect(copied).toBe(uri);
  Reflect.deleteProperty(document, 'execCommand');
});
