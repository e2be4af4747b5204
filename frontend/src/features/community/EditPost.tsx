import type { ForumPost } from '@orange-id/contract/forum.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Alert, Button, Flex, type InputRef } from 'antd';
import { useCallback, useEffect, useRef, useState } from 'react';
import { change } from '../../api/cache/change';
import { queryKeys } from '../../api/cache/query.keys';
import { changePost } from '../../api/community/forum.calls';
import { useSubmission } from '../../ui/useSubmission';
import { PostFields, postErrorsOf, type PostErrors } from './PostFields';
import { isReplacing, notSavedText } from './newer.version';
import { writePostMachine, type WrittenPost } from './post.machine';
import styles from './community.module.css';

/** The form in place of the user's own post. */
export function EditPost({ post, onEnd }: { post: ForumPost; onEnd: () => void }) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState({ title: post.title, content: post.content, category: post.category });
  const [errors, setErrors] = useState<PostErrors>({});
  // Not of the post as it is now, which a change in another tab has replaced.
  const [readEditedAt] = useState(post.editedAt);
  const title = useRef<InputRef>(null);
  const content = useRef<{ focus: () => void }>(null);
  const actor = useSubmission(
    writePostMachine,
    useCallback(
      ({ body }: { body: WrittenPost }) =>
        change(queryClient, [queryKeys.forum], () => changePost(post.id, body)),
      [queryClient, post.id],
    ),
    { onDone: onEnd, onFailed: () => content.current?.focus() },
  );
  const snapshot = useSelector(actor, (current) => current);
  const isBusy = snapshot.hasTag('busy');
  useEffect(() => content.current?.focus(), []);
  const { failure } = snapshot.context;
  return (
    <form
      noValidate
      className="light-card"
      aria-label="Edit post"
      data-machine="writePost"
      data-state={snapshot.value}
      onSubmit={(event) => {
        event.preventDefault();
        const wrong = postErrorsOf(draft);
        setErrors(wrong);
        if (wrong.title) title.current?.focus();
        else if (wrong.content) content.current?.focus();
        else if (!isBusy) {
          const body = isReplacing(failure) ? draft : { ...draft, readEditedAt };
          actor.send({ type: 'submission.start', subject: { id: post.id, body } });
        }
      }}
    >
      <PostFields
        draft={draft}
        errors={errors}
        title={title}
        content={content}
        isReadOnly={isBusy}
        onChange={(next) => {
          setDraft(next);
          setErrors({});
        }}
      />
      {failure ? (
        <Alert
          className={styles.failure ?? ''}
          type="error"
          showIcon
          role="alert"
          title={notSavedText(failure)}
        />
      ) : null}
      <Flex gap={8} justify="end">
        <Button disabled={isBusy} onClick={onEnd}>
          Cancel
        </Button>
        <Button htmlType="submit" type="primary" disabled={isBusy}>
          {isBusy ? 'Saving...' : isReplacing(failure) ? 'Save anyway' : 'Save'}
        </Button>
      </Flex>
    </form>
  );
}
