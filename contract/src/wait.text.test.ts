import { expect, test } from '@jest/globals';
import { waitInWords } from './wait.text.js';

test('waits are in seconds below two minutes, then in minutes rounded up', () => {
  expect([1, 2, 119, 120, 121, 3600].map(waitInWords)).toEqual([
    '1 second',
    '2 seconds',
    '119 seconds',
    '2 minutes',
    '3 minutes',
    '60 minutes',
  ]);
});
