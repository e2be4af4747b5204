import { LoadingOutlined } from '@ant-design/icons';
import { forumCategories, type ForumPost, type NewForumPost } from '@orange-id/contract/forum.schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Alert, Button, Card, Flex, type InputRef } from 'antd';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { queryKeys } from '../../api/cache/query.keys';
import { change } from '../../api/cache/change';
import { createPost, getSimilar } from '../../api/community/forum.calls';
import { failureText } from '../../api/failure.text';
import { useAuth } from '../../api/session/auth.context';
import { PageHead } from '../../ui/PageHead';
import { useSubmission } from '../../ui/useSubmission';
import { callName, callQuestion } from './call.question';
import { postDrafts, type PostDraft } from './post.drafts';
import { PostFields, postErrorsOf, type PostErrors } from './PostFields';
import { writePostMachine } from './post.machine';
import { useMayWrite } from './useMayWrite';
import styles from './community.module.css';

/** A link from the list of a category names it. */
const emptyDraft = (query: URLSearchParams): PostDraft => ({
  title: '',
  content: '',
  category: forumCategories.find((each) => each === query.get('category')) ?? 'Questions',
});

/** `/community/new`: a new post, of which this tab keeps a draft. */
export function NewPostPage() {
  const { isLoading, user } = useAuth();
  const [query] = useSearchParams();
  // The draft of a user replaces that of a visitor.
  // After the session has ended elsewhere, the user's draft stays theirs.
  const [lastUser, setLastUser] = useState(user?.id);
  if (user && user.id !== lastUser) setLastUser(user.id);
  if (isLoading) return null;
  return (
    <NewPost
      key={`${user?.id} ${callName(query)}`}
      hasLeftDraft={!user && lastUser !== undefined && postDrafts(callName(query)).read(lastUser) !== null}
    />
  );
}

/** `hasLeftDraft`: a user who was signed in on this page has left a draft. */
function NewPost({ hasLeftDraft }: { hasLeftDraft: boolean }) {
  const { user } = useAuth();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { canWrite, notice } = useMayWrite('publish', hasLeftDraft);
  const about = callName(query);
  const drafts = postDrafts(about);
  const [draft, setDraft] = useState(() => drafts.read(user?.id) ?? callQuestion(query) ?? emptyDraft(query));
  const [errors, setErrors] = useState<PostErrors>({});
  const title = useRef<InputRef>(null);
  const content = useRef<{ focus: () => void }>(null);
  const made = useRef<ForumPost>(null);
  const userId = user?.id;
  const submit = useCallback(
    ({ body }: { body: NewForumPost }) =>
      change(queryClient, [queryKeys.forum], async () => {
        made.current = await createPost(body);
        // Also if the user has left the page.
        postDrafts(about).clear(userId);
      }),
    [queryClient, about, userId],
  );
  const actor = useSubmission(writePostMachine, submit, {
    onDone: () => void navigate(`/community/posts/${made.current?.id}`, { replace: true }),
    onFailed: () => title.current?.focus(),
  });
  const snapshot = useSelector(actor, (current) => current);
  const isBusy = snapshot.hasTag('busy');
  const { failure } = snapshot.context;

  const onChange = (next: PostDraft) => {
    setDraft(next);
    setErrors({});
    if (next.title === '' && next.content === '') drafts.clear(userId);
    else drafts.store(userId, next);
  };
  const send = () => {
    const wrong = postErrorsOf(draft);
    setErrors(wrong);
    if (wrong.title) title.current?.focus();
    else if (wrong.content) content.current?.focus();
    else actor.send({ type: 'submission.start', subject: { id: null, body: draft } });
  };
  return (
    <div data-machine="writePost" data-state={snapshot.value}>
      <PageHead
        title="New post"
        help={
          about === '' ? (
            <>
              Everyone can read it. Leave out keys, tokens and personal data.{' '}
              <Link to="/community">Back to Community</Link>
            </>
          ) : (
            'About one of your calls. Only what you see below is published; its key, origin and query are left out.'
          )
        }
      />
      <Flex vertical gap={16} className={styles.page ?? ''}>
        {notice}
        <Card>
          <form
            noValidate
            aria-label="New post"
            onSubmit={(event) => {
              event.preventDefault();
              if (canWrite && !isBusy) send();
            }}
          >
            <PostFields
              draft={draft}
              errors={errors}
              title={title}
              content={content}
              onChange={onChange}
              isReadOnly={isBusy}
              similar={<Similar title={draft.title} />}
            />
            {failure ? (
              <Alert
                className={styles.failure ?? ''}
                type="error"
                showIcon
                role="alert"
                title={`Not published. ${failureText(failure)}`}
              />
            ) : null}
            <Flex gap={8} justify="end">
              <Button
                htmlType="submit"
                type="primary"
                disabled={!canWrite || isBusy}
                icon={isBusy && <LoadingOutlined aria-hidden />}
              >
                {isBusy ? 'Publishing...' : 'Publish'}
              </Button>
            </Flex>
          </form>
        </Card>
      </Flex>
    </div>
  );
}

/** Fewer characters match too much. */
const shortestTitle = 8;
const typingMs = 400;

/** Posts with a title like the one that is being typed. */
function Similar({ title }: { title: string }) {
  const wanted = title.trim().slice(0, 150);
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), typingMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data } = useQuery({
    queryKey: [...queryKeys.forum, 'similar', settled],
    queryFn: ({ signal }) => getSimilar(settled, signal),
    enabled: settled.length >= shortestTitle,
  });
  const posts = settled.length >= shortestTitle && wanted.length >= shortestTitle ? (data?.posts ?? []) : [];
  return (
    <div aria-live="polite">
      {posts.length > 0 && (
        <div className={styles.similar}>
          <strong>Similar posts</strong>
          <ul aria-label="Similar posts">
            {posts.map((post) => (
              <li key={post.id}>
                <Link to={`/community/posts/${post.id}`}>{post.title}</Link>
                <span className="note">
                  {' '}
                  <span>{post.isResolved ? 'Resolved, ' : ''}</span>
                  <span>{post.replyCount === 1 ? '1 reply' : `${post.replyCount} replies`}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
