import {
  forumCategories,
  moderateForumPost,
  reportForumPost,
  type ForumCategory,
  type ForumPost,
} from '@orange-id/contract/forum.schema';
import { useSelector } from '@xstate/react';
import { Checkbox, Select, type InputRef } from 'antd';
import { useRef, useState } from 'react';
import { failureText } from '../../api/failure.text';
import { Field } from '../../ui/Field';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import { publicReason, ReasonField } from './ReasonField';
import type { ThreadActs } from './useThreadActs';
import styles from './community.module.css';

/** The dialogs of a post and its replies. */
export function ThreadDialogs({ post, acts }: { post: ForumPost; acts: ThreadActs }) {
  const deleting = useSelector(acts.deletion, ({ context }) => context.subject);
  const isPost = deleting?.replyId == null;
  return (
    <>
      <SubmissionDialog
        actor={acts.deletion}
        title={isPost ? 'Delete post' : 'Delete reply'}
        act="Delete"
        busyAct="Deleting..."
        failureOf={(error) => `Failed to delete: ${failureText(error)}`}
      >
        {isPost
          ? 'The post and all its replies are deleted for everyone. This can’t be undone.'
          : 'Your reply is deleted for everyone. This can’t be undone.'}
      </SubmissionDialog>
      <ReportDialog acts={acts} />
      <ModerationDialog post={post} acts={acts} />
    </>
  );
}

function ReportDialog({ acts: { report } }: { acts: ThreadActs }) {
  const subject = useSelector(report, ({ context }) => context.subject);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);
  const field = useRef<InputRef>(null);
  return (
    <SubmissionDialog
      actor={report}
      isForm
      isDangerous={false}
      firstFocus={field}
      title={subject?.replyId == null ? 'Report post' : 'Report reply'}
      act="Report"
      busyAct="Reporting..."
      failureOf={(failure) => `Failed to report: ${failureText(failure)}`}
      onClosed={() => {
        setReason('');
        setError(null);
      }}
      onConfirm={() => {
        const replyId = subject?.replyId ?? null;
        const checked = reportForumPost.safeParse({ replyId, reason });
        setError(checked.error?.issues[0]?.message ?? null);
        if (checked.success) report.send({ type: 'submission.confirm', subject: checked.data });
        else field.current?.focus();
      }}
    >
      <ReasonField
        error={error}
        field={field}
        help="Only administrators see it."
        value={reason}
        onChange={(text) => {
          setReason(text);
          setError(null);
        }}
      />
    </SubmissionDialog>
  );
}

interface ModerationInput {
  isHidden: boolean;
  isLocked: boolean;
  isPinned: boolean;
  category: ForumCategory;
  reason: string;
}

function ModerationDialog({ post, acts: { moderation } }: { post: ForumPost; acts: ThreadActs }) {
  const subject = useSelector(moderation, ({ context }) => context.subject);
  const reply = subject?.reply ?? null;
  const { isHidden, isLocked, isPinned, category } = post;
  const [changed, setChanged] = useState<Partial<ModerationInput>>({});
  const [error, setError] = useState<string | null>(null);
  const field = useRef<InputRef>(null);
  const input: ModerationInput = { isHidden, isLocked, isPinned, category, reason: '', ...changed };
  const setPart = (part: Partial<ModerationInput>) => {
    setChanged({ ...changed, ...part });
    setError(null);
  };
  const confirm = () => {
    if (!subject) return;
    const body = reply ? { isHidden: !reply.isHidden, reason: input.reason } : input;
    const checked = moderateForumPost.safeParse(body);
    setError(checked.error?.issues[0]?.message ?? null);
    if (checked.success)
      moderation.send({ type: 'submission.confirm', subject: { ...subject, body: checked.data } });
    else field.current?.focus();
  };
  const flags = [
    ['isHidden', 'Hidden: nobody can read it'],
    ['isLocked', 'Locked: takes no replies or changes'],
    ['isPinned', 'Pinned: at the top of the list'],
  ] as const;
  return (
    <SubmissionDialog
      actor={moderation}
      isForm
      isDangerous={false}
      firstFocus={field}
      title={reply ? (reply.isHidden ? 'Show reply' : 'Hide reply') : 'Moderate post'}
      act={reply ? (reply.isHidden ? 'Show' : 'Hide') : 'Save'}
      busyAct="Saving..."
      failureOf={(failure) => `Failed to save: ${failureText(failure)}`}
      onClosed={() => {
        setChanged({});
        setError(null);
      }}
      onConfirm={confirm}
    >
      <div className={styles.moderation}>
        {!reply && (
          <>
            {flags.map(([name, label]) => (
              <Checkbox
                key={name}
                checked={input[name]}
                onChange={({ target }) => setPart({ [name]: target.checked })}
              >
                {label}
              </Checkbox>
            ))}
            <Field label="Category">
              {({ status: _, ...control }) => (
                <Select
                  {...control}
                  value={input.category}
                  options={forumCategories.map((value) => ({ value, label: value }))}
                  onChange={(value) => setPart({ category: value })}
                />
              )}
            </Field>
          </>
        )}
        <ReasonField
          error={error}
          field={field}
          help={publicReason}
          value={input.reason}
          onChange={(text) => setPart({ reason: text })}
        />
      </div>
    </SubmissionDialog>
  );
}
