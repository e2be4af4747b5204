import { expect, test } from '@jest/globals';
import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { methodLabel, methodPhrase } from './method.names';

const wallet = '0x1234567890123456789012345678901234567890';

test.each<[SignInMethod['provider'], string, string, string]>([
  ['email', 'ann@example.com', 'Email ann@example.com', 'your email ann@example.com and password'],
  ['wallet', wallet, 'Wallet 0x12345...34567890', 'the wallet 0x12345...34567890'],
  ['google', 'ann@example.com', 'Google account ann@example.com', 'the Google account ann@example.com'],
  ['google', 'Google account', 'Google account', 'your Google account'],
  ['apple', 'Apple account', 'Apple account', 'your Apple account'],
  ['apple', '', 'Apple account', 'your Apple account'],
  [
    'google',
    'Google.Dev@example.com',
    'Google account Google.Dev@example.com',
    'the Google account Google.Dev@example.com',
  ],
])(
  'a %s method labelled %s is shown as “%s” and, in a sentence, as “%s”',
  (provider, label, alone, inside) => {
    expect(methodLabel({ provider, label })).toBe(alone);
    expect(methodPhrase({ provider, label })).toBe(inside);
  },
);
