import { expect, test } from '@jest/globals';
import { panelTitle } from './panel.text';

const shown = { purpose: 'signIn', destination: null, hasWallets: true, hasCode: false } as const;
const callback = { kind: 'callback', tokens: { accessToken: 'a', refreshToken: 'r' } } as const;

test.each([
  { state: 'choosing', change: {}, title: null },
  { state: 'pairingWallet.offered', change: { hasCode: true }, title: 'Scan this QR code with your wallet' },
  { state: 'pairingWallet.preparing', change: {}, title: 'Preparing the QR code' },
  { state: 'redirecting', change: { destination: callback }, title: 'Signed in' },
  {
    state: 'redirecting',
    change: { destination: callback, purpose: 'link' },
    title: 'Connected to your account',
  },
  { state: 'redirecting', change: { destination: { kind: 'proven' }, purpose: 'prove' }, title: 'Confirmed' },
  {
    state: 'redirecting',
    change: { destination: { kind: 'provider', provider: 'GOOGLE' } },
    title: null,
  },
] as const)('the title in $state with $change is “$title”', ({ state, change, title }) => {
  expect(panelTitle(state, { ...shown, ...change })).toBe(title);
});
