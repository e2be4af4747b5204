import '../../ui/rows.css';
import { CommentOutlined, SearchOutlined } from '@ant-design/icons';
import {
  forumCategories,
  type ForumCategory,
  type ForumChange,
  type ForumPosts,
  type ForumPostSummary,
} from '@orange-id/contract/forum.schema';
import { limits } from '@orange-id/contract/limits';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Flex, Input, Select } from 'antd';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { queryKeys } from '../../api/cache/query.keys';
import { getPosts } from '../../api/community/forum.calls';
import { useForumNews } from '../../api/community/useForumNews';
import { useForumMe } from '../../api/community/useForumMe';
import { useAuth } from '../../api/session/auth.context';
import { Ago } from '../../ui/Ago';
import { LinkButton } from '../../ui/LinkButton';
import { ListState } from '../../ui/ListState';
import { PageHead } from '../../ui/PageHead';
import {
  isTop,
  listOrders,
  postsQueryOf,
  readListView,
  writeListView,
  type ListOrder,
  type ListView,
} from './list.view';
import { PostFacts } from './PostFacts';
import { reportsQuery } from './reports.query';
import { isUnread, readSeen } from './seen.storage';
import styles from './community.module.css';

const orderLabels: Record<ListOrder, string> = {
  newest: 'Newest',
  active: 'Recently active',
  unanswered: 'Unanswered',
  mine: 'My posts',
};

/** What an empty category lacks. */
const nouns: Record<ForumCategory, string> = {
  Questions: 'questions',
  Bugs: 'bugs',
  Ideas: 'ideas',
  Showcase: 'projects',
};

/** How long after the last key a search is sent. */
const typingMs = 250;

/** `/community`: the posts of a category, by text, order and author, which are in the URL. */
export function CommunityPage() {
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const [query, setQuery] = useSearchParams();
  const address = query.toString();
  const view = useMemo(() => {
    const read = readListView(new URLSearchParams(address));
    // A visitor has no posts.
    return read.order === 'mine' && !user ? { ...read, order: 'newest' as const } : read;
  }, [address, user]);
  const queryKey = [...queryKeys.forum, 'posts', postsQueryOf(view, user?.id)];
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => getPosts(postsQueryOf(view, user?.id), signal),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const [seen] = useState(readSeen);
  const [fresh, setFresh] = useState<{ address: string; ids: readonly string[] }>({ address, ids: [] });
  const listed = new Set([...(data?.pinned ?? []), ...(data?.posts ?? [])].map(({ id }) => id));
  const newIds = (fresh.address === address ? fresh.ids : []).filter((id) => !listed.has(id));

  const show = (part: Partial<ListView>, isReplacing = false) =>
    setQuery(writeListView({ ...view, after: undefined, before: undefined, ...part }), {
      replace: isReplacing,
      preventScrollReset: part.after === undefined && part.before === undefined,
    });
  const [shownText, setText] = useTypedText(view.q, (q) => show({ q }, true));

  const follow = (change: ForumChange) => {
    const { kind, postId, category, replyCount } = change;
    if (kind === 'posted') {
      if (!isTop(view) || (view.category && view.category !== category)) return;
      setFresh((shown) => ({
        address,
        ids: [...new Set([...(shown.address === address ? shown.ids : []), postId])],
      }));
    } else if (kind === 'removed') {
      setFresh((shown) => ({ ...shown, ids: shown.ids.filter((id) => id !== postId) }));
      void refetch();
    } else
      queryClient.setQueryData<ForumPosts>(queryKey, (page) => {
        if (!page) return page;
        const apply = (post: ForumPostSummary) => (post.id === postId ? { ...post, replyCount } : post);
        return { ...page, pinned: page.pinned.map(apply), posts: page.posts.map(apply) };
      });
  };
  useForumNews(follow, () => void refetch());

  const posts = data?.posts ?? [];
  const pinned = data?.pinned ?? [];
  const isSearch = view.q.trim() !== '' || view.order === 'unanswered';
  const showNew = () => {
    setFresh({ address, ids: [] });
    void refetch();
  };
  return (
    <>
      <PageHead
        title="Community"
        help="Questions, bugs, ideas and projects from developers who build with Orange ID."
        action={
          <>
            <ReportsLink />
            <LinkButton to="/community/new" type="primary">
              New post
            </LinkButton>
          </>
        }
      />
      <Flex vertical gap={16}>
        <div className={styles.categories} role="group" aria-label="Category">
          {[undefined, ...forumCategories].map((category) => (
            <button
              key={category ?? 'all'}
              type="button"
              aria-pressed={category === view.category}
              onClick={() => show({ category })}
            >
              {category ?? 'All'}
            </button>
          ))}
        </div>
        <div className={styles.filters} role="search" aria-label="Find posts">
          <Input
            type="search"
            aria-label="Search posts"
            placeholder="Search posts"
            prefix={<SearchOutlined aria-hidden />}
            autoComplete="off"
            maxLength={limits.forumSearchMaxCharacters}
            value={shownText}
            onChange={({ target }) => setText(target.value)}
          />
          <Select
            aria-label="Show"
            value={view.order}
            options={listOrders
              .filter((order) => order !== 'mine' || user)
              .map((value) => ({ value, label: orderLabels[value] }))}
            onChange={(order) => show({ order })}
          />
        </div>
        {newIds.length > 0 && (
          <Button block onClick={showNew}>
            {newIds.length === 1 ? '1 new post' : `${newIds.length} new posts`}
          </Button>
        )}
        <span className="visually-hidden" role="status">
          {newIds.length > 0 && 'There are new posts'}
        </span>
        <ListState
          isLoading={isPending}
          error={data ? null : error}
          errorTitle="Failed to load posts"
          isRetrying={isFetching}
          onRetry={() => void refetch()}
          isEmpty={posts.length === 0 && pinned.length === 0}
          emptyTitle={
            isSearch ? 'No post matches' : view.category ? `No ${nouns[view.category]} yet` : 'No posts yet'
          }
          emptyHelp={isSearch ? 'Try other words or another category.' : 'Be the first to post.'}
          emptyAction={
            isSearch ? (
              <Button onClick={() => show({ category: undefined, q: '', order: 'newest' })}>
                Show all posts
              </Button>
            ) : (
              <LinkButton to={view.category ? `/community/new?category=${view.category}` : '/community/new'}>
                New post
              </LinkButton>
            )
          }
          skeleton={<ListSkeleton />}
        >
          <ul className="rows rows-framed" aria-label="Posts" aria-busy={isPlaceholderData}>
            {[...pinned, ...posts].map((post) => (
              <PostRow key={post.id} post={post} isNew={isUnread(seen, post)} />
            ))}
          </ul>
          {data && (data.next !== null || data.previous !== null) && (
            <Flex component="nav" justify="space-between" aria-label="Pages">
              <Button
                disabled={data.previous === null}
                onClick={() => show({ before: data.previous ?? undefined })}
              >
                Previous
              </Button>
              <Button disabled={data.next === null} onClick={() => show({ after: data.next ?? undefined })}>
                Next
              </Button>
            </Flex>
          )}
        </ListState>
      </Flex>
    </>
  );
}

/** Leads administrators to what users have reported. */
function ReportsLink() {
  const me = useForumMe();
  const isAdministrator = me.data?.isAdministrator === true;
  const { data } = useQuery(reportsQuery(isAdministrator));
  const count = data ? `${data.reports.length}${data.hasMore ? '+' : ''}` : '0';
  if (!isAdministrator) return null;
  return <LinkButton to="/community/reports">{count === '0' ? 'Reports' : `Reports (${count})`}</LinkButton>;
}

/** The text of a search field, sent when the user pauses; it follows the URL, which links and buttons change too. */
function useTypedText(sent: string, send: (text: string) => void) {
  const [text, setText] = useState(sent);
  const last = useRef(sent);
  const sendLater = useEffectEvent(send);
  const follow = useEffectEvent(() => {
    if (sent !== last.current) setText(sent);
    last.current = sent;
  });
  useEffect(() => follow(), [sent]);
  useEffect(() => {
    if (text === last.current) return;
    const timer = setTimeout(() => {
      last.current = text;
      sendLater(text);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}

function PostRow({ post, isNew }: { post: ForumPostSummary; isNew: boolean }) {
  return (
    <li className={styles.row}>
      <div className="rows-words">
        <span className={styles.rowTitle}>
          {isNew && <span className={styles.unread} aria-hidden />}
          <Link to={`/community/posts/${post.id}`}>{post.title}</Link>
          {isNew && <span className="visually-hidden">Unread</span>}
        </span>
        <span className={styles.excerpt}>{post.excerpt}</span>
        <span className={`note ${styles.facts}`}>
          <PostFacts post={post} />
          <span>{post.authorName}</span>
          <Ago iso={post.createdAt} />
        </span>
      </div>
      <span className={`note tabular ${styles.replies}`}>
        <CommentOutlined aria-hidden /> {post.replyCount}
        <span className="visually-hidden">{post.replyCount === 1 ? ' reply' : ' replies'}</span>
      </span>
    </li>
  );
}

const ListSkeleton = () => (
  <div className="rows rows-framed">
    {[1, 2, 3, 4, 5].map((place) => (
      <div key={place} className={styles.row}>
        <div className="rows-words">
          <span className={`skeleton ${styles.skeletonTitle}`} />
          <span className={`skeleton ${styles.skeletonLine}`} />
          <span className={`skeleton ${styles.skeletonFacts}`} />
        </div>
      </div>
    ))}
  </div>
);
