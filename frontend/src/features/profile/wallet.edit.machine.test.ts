import { expect, test } from '@jest/globals';
import { createActor, SimulatedClock } from 'xstate';
import { walletEditMachine } from './wallet.edit.machine';

const known = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

function start(address = known) {
  const actor = createActor(walletEditMachine, { input: { address }, clock: new SimulatedClock() });
  const wanted: string[] = [];
  actor.on('proof.wanted', (notice) => wanted.push(notice.address));
  actor.start();
  return { actor, wanted, state: () => actor.getSnapshot().value };
}

test('the edit starts with the current address, and Cancel discards the draft', () => {
  const { actor, wanted, state } = start();
  expect(state()).toBe('viewing');
  actor.send({ type: 'edit.open' });
  expect(state()).toBe('editing');
  expect(actor.getSnapshot().context.draft).toBe(known);
  actor.send({ type: 'draft.change', text: other });
  actor.send({ type: 'edit.cancel' });
  expect(state()).toBe('viewing');
  actor.send({ type: 'edit.open' });
  expect(actor.getSnapshot().context).toEqual({ address: known, draft: known, isRefused: false });
  expect(wanted).toEqual([]);
});

test.each([known, ` ${known} `])(
  'confirming the unchanged address %j closes the form and opens no page',
  (text) => {
    const { actor, wanted, state } = start();
    actor.send({ type: 'edit.open' });
    actor.send({ type: 'draft.change', text });
    actor.send({ type: 'edit.confirm' });
    expect(state()).toBe('viewing');
    expect(wanted).toEqual([]);
  },
);

test.each([other, ` ${other}\n`, other.toLowerCase()])(
  'confirming the address %j opens the page that proves its ownership',
  (text) => {
    const { actor, wanted, state } = start();
    actor.send({ type: 'edit.open' });
    actor.send({ type: 'draft.change', text });
    actor.send({ type: 'edit.confirm' });
    expect(state()).toBe('leaving');
    expect(actor.getSnapshot().status).toBe('done');
    expect(wanted).toEqual([text.trim()]);
  },
);

test.each([
  ['', 'nothing'],
  [other.replace('5aAe', '5AAe'), 'a wrong checksum'],
  [`0x${other.slice(2).toUpperCase()}`, 'all upper case'],
  [other.slice(0, -1), '39 digits'],
  [`${other}0`, '41 digits'],
  [other.slice(2), 'no 0x'],
  ['0xzzAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'no hex'],
  ['vitalik.eth', 'a name'],
  ['🦊'.repeat(42), 'emoji'],
  ['0x'.repeat(50_000), 'far too long'],
])('the address %j (%s) is refused and stays editable', (text) => {
  const { actor, wanted, state } = start();
  actor.send({ type: 'edit.open' });
  actor.send({ type: 'draft.change', text });
  actor.send({ type: 'edit.confirm' });
  expect(state()).toBe('editing');
  expect(actor.getSnapshot().context).toEqual({ address: known, draft: text, isRefused: true });
  actor.send({ type: 'draft.change', text: other });
  expect(actor.getSnapshot().context.isRefused).toBe(false);
  expect(wanted).toEqual([]);
});
