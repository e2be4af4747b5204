import '../../ui/light-card.css';
import '../../ui/skeleton.css';
import {
  forumPost,
  type ForumChange,
  type ForumPost,
  type ForumReply,
} from '@orange-id/contract/forum.schema';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Flex } from 'antd';
import { useEffect, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { documentTitle } from '@orange-id/contract/app.routes';
import { queryKeys } from '../../api/cache/query.keys';
import { HttpError } from '../../api/http';
import { useForumNews } from '../../api/community/useForumNews';
import { useAuth } from '../../api/session/auth.context';
import { LinkButton } from '../../ui/LinkButton';
import { ListState } from '../../ui/ListState';
import { LiveState } from '../../ui/LiveState';
import { QueryFailure } from '../../ui/LoadFailure';
import { replyDrafts } from './post.drafts';
import { PostEntry } from './PostEntry';
import { ReplyEntry } from './ReplyEntry';
import { ReplyForm } from './ReplyForm';
import { ThreadDialogs } from './ThreadDialogs';
import { markSeen } from './seen.storage';
import { postQuery, repliesQuery, withReply, type ReplyPages } from './thread.cache';
import { useMayWrite } from './useMayWrite';
import { useThreadActs } from './useThreadActs';
import styles from './community.module.css';

/** `/community/posts/:id`: a post with its replies; `#reply-{id}` opens the page with that reply. */
export function PostPage() {
  const { id = '' } = useParams();
  return <Thread key={id} id={id} />;
}

/** The reply that the URL names. */
function replyOf(hash: string): string | undefined {
  const id = hash.startsWith('#reply-') ? hash.slice('#reply-'.length) : '';
  return forumPost.shape.id.safeParse(id).success ? id : undefined;
}

function Thread({ id }: { id: string }) {
  const post = useQuery(postQuery(id));
  const { data } = post;
  useEffect(() => {
    if (!data) return;
    markSeen(data.id, data.updatedAt);
    document.title = documentTitle(data.isHidden ? 'Hidden post' : data.title);
  }, [data]);
  const isMissing =
    post.error instanceof HttpError && (post.error.status === 404 || post.error.status === 400);
  return (
    <div className={styles.thread}>
      <p className="note">
        <Link to="/community">Community</Link>
        {data && (
          <>
            {' / '}
            <Link to={`/community?category=${data.category}`}>{data.category}</Link>
          </>
        )}
      </p>
      {data ? (
        <Loaded post={data} />
      ) : isMissing ? (
        <div className="list-empty">
          <h1>Post not found</h1>
          <span className="note">It was deleted, or the link is incomplete.</span>
          <LinkButton to="/community">Open Community</LinkButton>
        </div>
      ) : post.error ? (
        <QueryFailure title="Failed to load this post" query={post} />
      ) : (
        <div role="status" aria-label="Loading" className="light-card">
          <span className={`skeleton ${styles.skeletonTitle}`} />
          <span className={`skeleton ${styles.skeletonLine}`} />
          <span className={`skeleton ${styles.skeletonFacts}`} />
        </div>
      )}
    </div>
  );
}

function Loaded({ post }: { post: ForumPost }) {
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const { hash } = useLocation();
  const named = replyOf(hash);
  // A link to a reply that is already shown only scrolls to it.
  const [around, setAround] = useState(named);
  const answer = useInfiniteQuery(repliesQuery(post.id, around));
  const replies = answer.data?.pages.flatMap((page) => page.replies) ?? [];
  const isNamedLoaded = named !== undefined && replies.some((reply) => reply.id === named);
  if (named !== undefined && !isNamedLoaded && named !== around && answer.isSuccess) setAround(named);
  useEffect(() => {
    if (isNamedLoaded) document.getElementById(`reply-${named}`)?.scrollIntoView({ block: 'start' });
  }, [isNamedLoaded, named]);

  const [lastUser, setLastUser] = useState(user?.id);
  if (user && user.id !== lastUser) setLastUser(user.id);
  const hasLeftDraft = !user && lastUser !== undefined && replyDrafts(post.id).read(lastUser) !== null;
  const write = useMayWrite('reply', hasLeftDraft);
  const acts = useThreadActs(post, write.isAdministrator);
  const [newIds, setNewIds] = useState<readonly string[]>([]);
  const fresh = newIds.filter((id) => !replies.some((reply) => reply.id === id));

  const readAgain = () => {
    void queryClient.invalidateQueries({ queryKey: postQuery(post.id).queryKey });
    return answer.refetch();
  };
  const follow = ({ kind, postId, replyId }: ForumChange) => {
    if (postId !== post.id) return;
    if (kind === 'replied' && replyId !== null) setNewIds((ids) => [...new Set([...ids, replyId])]);
    else void readAgain();
  };
  useForumNews(follow, () => void readAgain());

  const showNew = async () => {
    await readAgain();
    await answer.fetchNextPage();
    setNewIds([]);
  };
  const onReplied = (reply: ForumReply) => {
    queryClient.setQueryData<ReplyPages>(repliesQuery(post.id, around).queryKey, (pages) =>
      withReply(pages, reply),
    );
    void queryClient.invalidateQueries({ queryKey: [...queryKeys.forum, 'posts'] });
    void queryClient.invalidateQueries({ queryKey: postQuery(post.id).queryKey });
    // Who replies follows the thread.
    void queryClient.invalidateQueries({ queryKey: queryKeys.threadMail(post.id) });
    if (answer.hasNextPage) setAround(reply.id);
  };
  const names = [
    ...new Set(
      [post, ...replies]
        .filter((each) => each.userId !== null && each.userId !== user?.id)
        .map((each) => each.authorName),
    ),
  ];
  return (
    <>
      <PostEntry post={post} acts={acts} />
      <section className={styles.thread} aria-labelledby="replies-title">
        <Flex wrap justify="space-between" align="center" gap="4px 12px">
          <h2 id="replies-title">{post.replyCount === 1 ? '1 reply' : `${post.replyCount} replies`}</h2>
          {user && <LiveState readAt={answer.dataUpdatedAt} />}
        </Flex>
        <ListState
          isLoading={answer.isPending}
          error={answer.data ? null : answer.error}
          errorTitle="Failed to load replies"
          isRetrying={answer.isFetching}
          onRetry={() => void answer.refetch()}
          isEmpty={replies.length === 0 && fresh.length === 0}
          emptyTitle="No replies yet"
          emptyHelp={post.isLocked ? undefined : 'Be the first to reply.'}
        >
          {answer.hasPreviousPage && (
            <Button loading={answer.isFetchingPreviousPage} onClick={() => void answer.fetchPreviousPage()}>
              Earlier replies
            </Button>
          )}
          {replies.map((reply) => (
            <ReplyEntry
              key={reply.id}
              post={post}
              reply={reply}
              isNamed={reply.id === named}
              acts={acts}
              names={names}
            />
          ))}
          {answer.hasNextPage && (
            <Button loading={answer.isFetchingNextPage} onClick={() => void answer.fetchNextPage()}>
              More replies
            </Button>
          )}
          {fresh.length > 0 && !answer.hasNextPage && (
            <Button block onClick={() => void showNew()}>
              {fresh.length === 1 ? '1 new reply' : `${fresh.length} new replies`}
            </Button>
          )}
        </ListState>
        <span className="visually-hidden" role="status">
          {fresh.length > 0 && 'There are new replies'}
        </span>
        {post.isLocked || post.isHidden ? (
          <Flex className="note">This post takes no more replies.</Flex>
        ) : (
          <ReplyForm postId={post.id} names={names} write={write} onReplied={onReplied} />
        )}
      </section>
      <ThreadDialogs post={post} acts={acts} />
    </>
  );
}
