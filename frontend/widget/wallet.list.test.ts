import { expect, test } from '@jest/globals';
import { listWallets } from './wallet.list';

const fallback = { uid: 'u0', id: 'injected', type: 'injected', name: 'Injected' };
const fox = { uid: 'u1', id: 'org.fox', type: 'injected', name: 'Fox', icon: 'data:image/svg+xml,<svg/>' };
const owl = { uid: 'u2', id: 'org.owl', type: 'injected', name: 'Owl' };

test('announced wallets are listed by name and icon, and hide the one at window.ethereum', () => {
  expect(listWallets([fallback, fox, owl], true)).toEqual([
    { id: 'u1', name: 'Fox', icon: 'data:image/svg+xml,<svg/>' },
    { id: 'u2', name: 'Owl' },
  ]);
});

test('window.ethereum is listed if no wallet announced itself, and only if it exists', () => {
  expect(listWallets([fallback], true)).toEqual([{ id: 'u0', name: 'Browser wallet' }]);
  expect(listWallets([fallback], false)).toEqual([]);
});

test('a remote icon is not loaded', () => {
  for (const icon of ['https://example.com/i.png', 'javascript:alert(1)', 'data:text/html,x', '']) {
    expect(listWallets([{ ...fox, icon }], false)).toEqual([{ id: 'u1', name: 'Fox' }]);
  }
});

test('a wallet name is cut to 40 characters, and an empty one is replaced with the id', () => {
  expect(listWallets([{ ...owl, name: 'x'.repeat(500) }], false)[0]?.name).toBe(`${'x'.repeat(39)}…`);
  expect(listWallets([{ ...owl, name: '  ' }], false)[0]?.name).toBe('org.owl');
});

test('wallets on other devices come last, and are the only ones if this browser has none', () => {
  const remote = { uid: 'u9', id: 'walletConnect', type: 'walletConnect', name: 'WalletConnect' };
  const listed = { id: 'u9', name: 'WalletConnect', isRemote: true };
  expect(listWallets([fallback, remote, fox], true)).toEqual([
    { id: 'u1', name: 'Fox', icon: 'data:image/svg+xml,<svg/>' },
    listed,
  ]);
  expect(listWallets([fallback, remote], true)).toEqual([{ id: 'u0', name: 'Browser wallet' }, listed]);
  expect(listWallets([fallback, remote], false)).toEqual([listed]);
});

test('a wallet of this browser that calls itself WalletConnect is not paired', () => {
  const impostor = { ...fox, id: 'walletConnect', name: 'WalletConnect' };
  expect(listWallets([impostor], false)[0]?.isRemote).toBeUndefined();
});
