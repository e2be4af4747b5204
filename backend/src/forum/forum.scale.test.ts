import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ForumPostsQuery } from '@orange-id/contract/forum.schema';
import { DataSource } from 'typeorm';
import { newId } from '../database/new.id.js';
import { signUp } from '../testing/sign.up.js';
import { startTestApp, type TestApp } from '../testing/test.app.js';
import { ForumRepository, postsStatement, type Step } from './forum.repository.js';

/** `npm run test:durability` runs the long form. */
const isLong = process.env['DURABILITY_FORM'] === 'long';
const count = isLong ? 100_000 : 6_000;
/** In SQL, the id of row `i`. */
const idOf = `('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`;

describe('the community with many posts', () => {
  let portal: TestApp;
  let busiest: string;
  beforeAll(async () => {
    portal = await startTestApp();
    const { userId } = await signUp(portal);
    busiest = newId();
    await portal.db.query(
      `insert into forum_posts (id, user_id, title, content, category, reply_count)
       values ($1, $2, 'Busy', 'Text', 'Bugs', $3)`,
      [busiest, userId, count],
    );
    // Ids grow with the posts, as those of real ones do. One statement for all would take too long.
    for (let last = 0; last < count; last += 2_000) {
      await portal.db.query(
        `insert into forum_posts (id, user_id, title, content, category, is_resolved, reply_count, updated_at)
         select ${idOf}, $1, 'Many ' || i, 'Word' || i || ' common',
           (array['Questions', 'Bugs', 'Ideas', 'Showcase'])[1 + i % 4], i % 3 = 0, i % 5,
           date_trunc('milliseconds', now() - make_interval(secs => i))
         from generate_series($2::int + 1, $2 + 2000) i`,
        [userId, last],
      );
      await portal.db.query(
        `insert into forum_replies (id, post_id, user_id, content)
         select ${idOf}, $1, $2, 'Reply ' || i from generate_series($3::int + 1, $3 + 2000) i`,
        [busiest, userId, last],
      );
    }
    await portal.db.query('vacuum analyze forum_posts, forum_replies');
  }, 300_000);
  afterAll(() => portal.close());

  /** The ways in which PostgreSQL would read a table for this statement. */
  async function scansOf(text: string, values: readonly unknown[], table: string): Promise<string[]> {
    const [{ 'QUERY PLAN': plan }] = await portal.db.query(`explain (format json) ${text}`, [...values]);
    return nodesOf(plan[0].Plan)
      .filter((node) => node['Relation Name'] === table)
      .map((node) => node['Node Type']);
  }
  const expectByIndex = (scans: string[]) => {
    expect(scans).not.toEqual([]);
    expect(scans).not.toContain('Seq Scan');
  };

  // After all ids.
  const id = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
  const newest: Step = { direction: 'after', place: { id, atMs: null } };
  const middle = `00000000-0000-7000-8000-${(count / 2).toString(16).padStart(12, '0')}`;
  test.each<[string, Partial<ForumPostsQuery>, Step]>([
    ['newest', {}, null],
    ['newest, further', {}, newest],
    ['newest, back', {}, { direction: 'before', place: newest.place }],
    ['newest, from the middle', {}, { direction: 'after', place: { id: middle, atMs: null } }],
    ['a category', { category: 'Bugs' }, newest],
    ['an author', { author: id }, null],
    ['the resolved', { resolved: 'true' }, newest],
    ['the resolved of a category', { resolved: 'true', category: 'Ideas' }, newest],
    ['the active', { sort: 'active' }, { direction: 'after', place: { id, atMs: Date.now() } }],
    [
      'the active, back',
      { sort: 'active' },
      { direction: 'before', place: { id: middle, atMs: Date.now() } },
    ],
    ['the active of a category', { sort: 'active', category: 'Bugs' }, null],
    ['the unanswered', { sort: 'unanswered' }, newest],
    ['the unanswered of a category', { sort: 'unanswered', category: 'Bugs' }, newest],
    ['a search', { q: 'word4711' }, null],
    ['a search, further', { q: 'word471' }, newest],
    ['a search for what every post has', { q: 'common' }, null],
    ['a search by prefix in a category', { q: 'many word471', category: 'Bugs' }, null],
  ])('a list reads an index: %s', async (_, filter, step) => {
    const query = { sort: 'newest', limit: 20, ...filter } as ForumPostsQuery;
    const { text, values } = postsStatement(query, step, false);
    expectByIndex(await scansOf(text, values, 'forum_posts'));
  });

  test.each<[string, string, (rows: ForumRepository) => Promise<unknown>]>([
    ['pinned posts', 'forum_posts', (rows) => rows.pinned(null)],
    ['similar titles', 'forum_posts', (rows) => rows.similar(['word4711', 'word4712'])],
    ['replies', 'forum_replies', (rows) => rows.replies(busiest, 20, null, null)],
    [
      'replies, from the middle',
      'forum_replies',
      (rows) => rows.replies(busiest, 20, { direction: 'after', place: { id: middle, atMs: null } }, null),
    ],
    [
      'replies, back',
      'forum_replies',
      (rows) => rows.replies(busiest, 20, { direction: 'before', place: { id: middle, atMs: null } }, null),
    ],
    ['a linked reply', 'forum_replies', (rows) => rows.replies(busiest, 20, null, middle)],
    ['whether there are earlier replies', 'forum_replies', (rows) => rows.hasReplyBefore(busiest, middle)],
  ])('an index is read for %s', async (_, table, read) => {
    const asked = jest.spyOn(portal.app.get(DataSource), 'query');
    await read(portal.app.get(ForumRepository));
    const [[text, values = []] = ['']] = asked.mock.calls;
    asked.mockRestore();
    expectByIndex(await scansOf(text, values as unknown[], table));
  });

  test('paging forth and back from the middle reaches the neighbours, each once', async () => {
    const page = async (query: string) =>
      (await portal.call('GET', `/api/forum/posts?limit=50&${query}`)).body;
    const idsOf = ({ posts }: { posts: { id: string }[] }) => posts.map((post) => post.id);
    const first = await page(`after=${middle}`);
    const second = await page(`after=${first.next}`);
    const expected = Array.from({ length: 100 }, (_, place) => count / 2 - 1 - place);
    const placesOf = (ids: string[]) => ids.map((each) => parseInt(each.slice(-12), 16));
    expect(placesOf([...idsOf(first), ...idsOf(second)])).toEqual(expected);
    expect(idsOf(await page(`before=${second.previous}`))).toEqual(idsOf(first));
  });
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
