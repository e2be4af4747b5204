import { expect, test } from '@jest/globals';
import type { ForumChange } from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import { ForumChanges } from './forum.changes.js';

const change = (postId: string): ForumChange => ({
  kind: 'posted',
  postId,
  replyId: null,
  category: 'Ideas',
  replyCount: 0,
});
const idsOf = (changes: readonly ForumChange[]) => changes.map(({ postId }) => postId);

test('a visitor hears each change once, own and those of other instances, from the first request on', () => {
  const changes = new ForumChanges();
  changes.emit(change('before'));
  const first = changes.newsAfter(undefined);
  expect([first.changes, first.hasMissed]).toEqual([[], false]);
  changes.emit(change('here'));
  changes.receive(change('elsewhere'));
  const second = changes.newsAfter(first.cursor);
  expect([idsOf(second.changes), second.hasMissed]).toEqual([['here', 'elsewhere'], false]);
  expect(changes.newsAfter(second.cursor)).toEqual({ cursor: second.cursor, changes: [], hasMissed: false });
  // A request that is repeated because its response was lost.
  expect(idsOf(changes.newsAfter(first.cursor).changes)).toEqual(['here', 'elsewhere']);
});

test('a visitor who was away too long reads everything again, and memory stays bounded', () => {
  const changes = new ForumChanges();
  const { cursor } = changes.newsAfter(undefined);
  for (let place = 0; place < limits.forumNewsKept; place += 1) changes.emit(change(String(place)));
  const all = changes.newsAfter(cursor);
  expect([all.changes.length, all.hasMissed]).toEqual([limits.forumNewsKept, false]);
  changes.emit(change('one more'));
  expect(changes.newsAfter(cursor)).toMatchObject({ changes: [], hasMissed: true });
  expect(idsOf(changes.newsAfter(all.cursor).changes)).toEqual(['one more']);
});

test.each(['', 'x', '_', '_5', `${'9'.repeat(40)}_1`, 'made-up_0'])(
  'the cursor %j of no response or of another instance makes the page read everything again',
  (cursor) => {
    const changes = new ForumChanges();
    changes.emit(change('one'));
    expect(changes.newsAfter(cursor)).toMatchObject({ changes: [], hasMissed: true });
  },
);

test('a cursor of this instance that no response had makes the page read everything again', () => {
  const changes = new ForumChanges();
  const { cursor } = changes.newsAfter(undefined);
  for (const number of ['1', '-1', '0x0', '1e1', ' 0', '9'.repeat(30)]) {
    const made = cursor.replace(/_0$/, `_${number}`);
    expect([made, changes.newsAfter(made)]).toMatchObject([made, { changes: [], hasMissed: true }]);
  }
});
