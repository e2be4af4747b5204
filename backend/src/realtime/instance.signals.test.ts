import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '../testing/test.app.js';
import { until } from '../testing/until.js';
import { InstanceSignals } from './instance.signals.js';

describe('signals between two instances', () => {
  let drop: () => Promise<void>;
  let teller: InstanceSignals;
  let hearer: InstanceSignals;
  const heard = {
    owners: [] as (readonly string[] | null)[],
    projects: [] as string[],
    sessions: [] as string[],
    posts: [] as string[],
  };
  const own: unknown[] = [];
  const ids = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());

  beforeAll(async () => {
    const database = await createTestDatabase({ empty: true });
    drop = database.drop;
    [teller, hearer] = [new InstanceSignals(database.address), new InstanceSignals(database.address)];
    hearer.listen({
      onOwners: (owners) => void heard.owners.push(owners),
      onProject: ({ projectId }) => void heard.projects.push(projectId),
      onSessionEnded: (id) => void heard.sessions.push(id),
      onKeys: () => undefined,
      onForum: ({ postId }) => void heard.posts.push(postId),
    });
    await teller.onModuleInit();
    await hearer.onModuleInit();
    teller.listen({
      onOwners: (owners) => void own.push(owners),
      onProject: (change) => void own.push(change),
      onSessionEnded: (id) => void own.push(id),
      onKeys: () => undefined,
      onForum: (change) => void own.push(change),
    });
  });
  afterAll(async () => {
    await Promise.all([teller.onApplicationShutdown(), hearer.onApplicationShutdown()]);
    await drop();
  });
  beforeEach(() => {
    heard.owners = [];
    heard.projects = [];
    heard.sessions = [];
    heard.posts = [];
  });

  test('more changes than fit into one notification all arrive, in order', async () => {
    const [owners, projects, sessions, posts] = [ids(150), ids(120), ids(310), ids(60)];
    teller.tellOwners(owners);
    for (const projectId of projects) {
      teller.tellProject({ ownerId: crypto.randomUUID(), projectId, kind: 'keyRotated' });
    }
    for (const id of sessions) teller.tellSessionEnded(id);
    for (const postId of posts) {
      teller.tellForum({ kind: 'replied', postId, replyId: postId, category: 'Questions', replyCount: 1 });
    }
    await until('the last post arrives', () => heard.posts.length === posts.length);
    expect(heard).toEqual({ owners: [owners], projects, sessions, posts });
  });

  test('owners that don’t fit into one notification arrive as ‘any owner’', async () => {
    teller.tellOwners(ids(151));
    await until('the signal arrives', () => heard.owners.length > 0);
    expect(heard).toEqual({ owners: [null], projects: [], sessions: [], posts: [] });
  });

  test('an instance does not hear its own signals', async () => {
    const [owner] = ids(1) as [string];
    teller.tellOwners([owner]);
    await until('the other hears it', () => heard.owners.length > 0);
    hearer.tellOwners([owner]);
    await until('it hears the other', () => own.length > 0);
    expect(own).toEqual([[owner]]);
  });
});
