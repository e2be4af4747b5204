import { LoadingOutlined } from '@ant-design/icons';
import { forumContent, type ForumReply } from '@orange-id/contract/forum.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Alert, Button, Flex } from 'antd';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { change } from '../../api/cache/change';
import { queryKeys } from '../../api/cache/query.keys';
import { changeReply, createReply } from '../../api/community/forum.calls';
import { failureText } from '../../api/failure.text';
import { useAuth } from '../../api/session/auth.context';
import type { SubmissionActor } from '../../ui/submission';
import { useSubmission } from '../../ui/useSubmission';
import { MarkdownField } from './MarkdownField';
import { isReplacing, notSavedText } from './newer.version';
import { replyDrafts } from './post.drafts';
import { writeReplyMachine } from './reply.machine';
import styles from './community.module.css';

interface FormProps {
  actor: SubmissionActor<{ id: string | null; content: string; isForced: boolean }>;
  /** The reply that is changed; `null` for a new one. */
  id: string | null;
  content: string;
  onChange: (content: string) => void;
  names: readonly string[];
  act: string;
  busyAct: string;
  isAllowed: boolean;
  onCancel?: () => void;
}

function Form({ actor, id, content, onChange, names, act, busyAct, isAllowed, onCancel }: FormProps) {
  const [error, setError] = useState<string | null>(null);
  const field = useRef<{ focus: () => void }>(null);
  const snapshot = useSelector(actor, (current) => current);
  const isBusy = snapshot.hasTag('busy');
  const { failure } = snapshot.context;
  useEffect(() => {
    // A form that can be cancelled was opened by a button.
    if (id !== null) field.current?.focus();
  }, [id]);
  const send = () => {
    if (!isAllowed || isBusy) return;
    const message = forumContent.safeParse(content).error?.issues[0]?.message;
    setError(message === undefined ? null : content.trim() === '' ? 'Enter some text.' : `Reply ${message}`);
    if (message === undefined)
      actor.send({ type: 'submission.start', subject: { id, content, isForced: isReplacing(failure) } });
    else field.current?.focus();
  };
  return (
    <form
      noValidate
      aria-label={id === null ? 'Reply' : 'Edit reply'}
      data-machine="writeReply"
      data-state={snapshot.value}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.form}>
        <MarkdownField
          label={id === null ? 'Your reply' : 'Edit reply'}
          rows={5}
          error={error}
          isReadOnly={isBusy}
          names={names}
          field={field}
          value={content}
          onChange={(text) => {
            setError(null);
            onChange(text);
          }}
        />
      </div>
      {failure ? (
        <Alert
          className={styles.failure ?? ''}
          type="error"
          showIcon
          role="alert"
          title={id === null ? `Not published. ${failureText(failure)}` : notSavedText(failure)}
        />
      ) : null}
      <Flex gap={8} justify="end">
        {onCancel && (
          <Button disabled={isBusy} onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button
          htmlType="submit"
          type="primary"
          disabled={!isAllowed || isBusy}
          icon={isBusy && <LoadingOutlined aria-hidden />}
        >
          {isBusy ? busyAct : isReplacing(failure) ? 'Save anyway' : act}
        </Button>
      </Flex>
    </form>
  );
}

interface ReplyFormProps {
  postId: string;
  /** Of those who take part, for mentions. */
  names: readonly string[];
  write: { canWrite: boolean; notice: ReactNode };
  onReplied: (reply: ForumReply) => void;
}

/** Writes a reply, of which this tab keeps a draft. */
export function ReplyForm({ postId, names, write, onReplied }: ReplyFormProps) {
  const { user } = useAuth();
  const userId = user?.id;
  const drafts = replyDrafts(postId);
  const [typed, setTyped] = useState<{ userId: string | undefined; text: string } | null>(null);
  // The draft of a user replaces that of a visitor.
  const content = typed && typed.userId === userId ? typed.text : (drafts.read(userId) ?? '');
  const made = useRef<ForumReply>(null);
  const submit = useCallback(
    async (subject: { content: string }) => {
      made.current = await createReply(postId, subject.content);
      // Also if the user has left the page.
      replyDrafts(postId).clear(userId);
    },
    [postId, userId],
  );
  const actor = useSubmission(writeReplyMachine, submit, {
    onDone: () => {
      setTyped({ userId, text: '' });
      if (made.current) onReplied(made.current);
    },
  });
  return (
    <div className={`light-card ${styles.entry}`}>
      {write.notice}
      <Form
        actor={actor}
        content={content}
        names={names}
        id={null}
        act="Reply"
        busyAct="Replying..."
        isAllowed={write.canWrite}
        onChange={(text) => {
          setTyped({ userId, text });
          if (text === '') drafts.clear(userId);
          else drafts.store(userId, text);
        }}
      />
    </div>
  );
}

interface EditReplyProps {
  reply: ForumReply;
  names: readonly string[];
  onEnd: () => void;
}

/** The form in place of the user's own reply. */
export function EditReply({ reply, names, onEnd }: EditReplyProps) {
  const queryClient = useQueryClient();
  const [content, setContent] = useState(reply.content);
  const [readEditedAt] = useState(reply.editedAt);
  const { id, postId } = reply;
  const submit = useCallback(
    ({ content: text, isForced }: { content: string; isForced: boolean }) =>
      change(queryClient, [queryKeys.forum], () =>
        changeReply(postId, id, { content: text, ...(isForced ? {} : { readEditedAt }) }),
      ),
    [queryClient, postId, id, readEditedAt],
  );
  const actor = useSubmission(writeReplyMachine, submit, { onDone: onEnd });
  return (
    <Form
      actor={actor}
      id={id}
      content={content}
      names={names}
      act="Save"
      busyAct="Saving..."
      isAllowed
      onChange={setContent}
      onCancel={onEnd}
    />
  );
}
