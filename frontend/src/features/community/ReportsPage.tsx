import '../../ui/rows.css';
import { LockOutlined } from '@ant-design/icons';
import { documentTitle, notFoundTitle } from '@orange-id/contract/app.routes';
import { moderateForumPost, type ForumReport } from '@orange-id/contract/forum.schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Button, Flex, Skeleton, Tag, type InputRef } from 'antd';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { queryKeys } from '../../api/cache/query.keys';
import { closeReport } from '../../api/community/forum.calls';
import { useForumMe } from '../../api/community/useForumMe';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { useLive } from '../../api/usage/live.context';
import { Ago } from '../../ui/Ago';
import { ListState } from '../../ui/ListState';
import { QueryFailure } from '../../ui/LoadFailure';
import { PageHead } from '../../ui/PageHead';
import { besideRow } from '../../ui/row.focus';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import type { SubmissionActor } from '../../ui/submission';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import { dismissReportMachine, moderatePostMachine, type Moderation } from './moderation.machine';
import { publicReason, ReasonField } from './ReasonField';
import { reportsQuery } from './reports.query';
import { sendModeration } from './send.moderation';
import styles from './community.module.css';

/** `/community/reports`: what users have reported, for administrators; others see `missing`. */
export function ReportsPage({ missing }: { missing: ReactNode }) {
  const me = useForumMe();
  const isRefused = me.data?.isAdministrator === false;
  useEffect(() => {
    if (isRefused) document.title = documentTitle(notFoundTitle);
  }, [isRefused]);
  if (isRefused) return missing;
  if (me.data) return <Reports />;
  return me.error ? (
    <QueryFailure title="Failed to check whether you are an administrator" query={me} />
  ) : (
    <div role="status" aria-label="Loading">
      <Skeleton active />
    </div>
  );
}

/** Resolves also if the report is already closed, by another administrator. */
const sendDismissal = ({ id }: ForumReport): Promise<void> =>
  closeReport(id).catch((error: unknown) => {
    if (!(error instanceof HttpError) || error.code !== 'forum.reportNotFound') throw error;
  });

const nameOf = ({ replyId, title, authorName }: ForumReport): string =>
  replyId === null ? `post ${title}` : `reply by ${authorName}`;

function Reports() {
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data, isPending, isFetching, error, refetch } = useQuery(reportsQuery(true));
  const list = useRef<HTMLDivElement>(null);
  const beside = useRef<(() => HTMLElement | null) | null>(null);
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: queryKeys.forum });
  /** The refetch removes the row, so the focus moves first. */
  const leaveRow = () => {
    beside.current?.()?.focus();
    readAgain();
  };
  const dismissal = useSubmission(dismissReportMachine, sendDismissal, {
    onDone: () => {
      showToast({ tone: 'success', title: 'Report dismissed' });
      leaveRow();
    },
    onFailed: (failure) => {
      showToast({ tone: 'error', title: 'Failed to dismiss', description: failureText(failure) });
      readAgain();
    },
  });
  const isDismissing = useSelector(dismissal, (snapshot) => snapshot.hasTag('busy'));
  const moderation = useSubmission(moderatePostMachine, sendModeration, {
    onDone: () => showToast({ tone: 'success', title: 'Change saved' }),
    onFailed: readAgain,
  });
  const { onForum } = useLive();
  const follow = useEffectEvent(() => void refetch());
  useEffect(() => onForum(follow), [onForum]);

  const reports = data?.reports ?? [];
  return (
    <>
      <PageHead
        title="Reports"
        help={
          <>
            Hiding a post or a reply closes its reports. <Link to="/community">Back to Community</Link>
          </>
        }
      />
      <Flex vertical gap={16} ref={list} tabIndex={-1} className={styles.page ?? ''}>
        <ListState
          isLoading={isPending}
          error={data ? null : error}
          errorTitle="Failed to load the reports"
          isRetrying={isFetching}
          onRetry={() => void refetch()}
          isEmpty={reports.length === 0}
          emptyTitle="No reports"
          emptyHelp="What users report is listed here."
        >
          <ul className="rows rows-framed" aria-label="Reports">
            {reports.map((report) => (
              <ReportRow
                key={`${report.postId} ${report.replyId}`}
                report={report}
                isBusy={isDismissing}
                onDismiss={(button) => {
                  beside.current = besideRow(button, list.current);
                  dismissal.send({ type: 'submission.start', subject: report });
                }}
                onModerate={(button, body) => {
                  beside.current = besideRow(button, list.current);
                  const { postId, replyId } = report;
                  const reply = body.isHidden && replyId !== null ? { id: replyId, isHidden: false } : null;
                  const subject = { postId, reply, body: { ...body, reason: '' } };
                  moderation.send({ type: 'submission.open', subject });
                }}
              />
            ))}
          </ul>
          {data?.hasMore && <p className="note">Older reports are listed once these are dealt with.</p>}
        </ListState>
      </Flex>
      <ReasonDialog
        actor={moderation}
        onClosed={() => {
          const { context, ...snapshot } = moderation.getSnapshot();
          if (!snapshot.hasTag('done')) return;
          if (context.subject?.body.isHidden) leaveRow();
          else readAgain();
        }}
      />
    </>
  );
}

interface ReportRowProps {
  report: ForumReport;
  isBusy: boolean;
  onDismiss: (button: HTMLElement) => void;
  onModerate: (button: HTMLElement, body: Pick<Moderation['body'], 'isHidden' | 'isLocked'>) => void;
}

function ReportRow({ report, isBusy, onDismiss, onModerate }: ReportRowProps) {
  const { postId, replyId, title, category, isLocked, content, authorName, reasons, reporters } = report;
  const name = nameOf(report);
  const hash = replyId === null ? '' : `#reply-${replyId}`;
  const lock = isLocked ? 'Unlock' : 'Lock';
  return (
    <li className={styles.row}>
      <div className="rows-words">
        <span className={styles.rowTitle}>
          <Link to={`/community/posts/${postId}${hash}`}>{title}</Link>
        </span>
        <p className={styles.reported}>{content}</p>
        <span className={`note ${styles.facts}`}>
          <Tag>{replyId === null ? category : 'Reply'}</Tag>
          {isLocked && (
            <span>
              <LockOutlined aria-hidden /> Locked
            </span>
          )}
          <span>by {authorName}</span>
        </span>
        <ul className={styles.reasons} aria-label="Reasons">
          {reasons.map((reason, place) => (
            <li key={place}>{reason}</li>
          ))}
        </ul>
        <span className={`note ${styles.facts}`}>
          <span>{reporters === 1 ? '1 report' : `${reporters} reports`}</span>
          <Ago iso={report.createdAt} />
        </span>
        <Flex wrap gap={8} className={styles.reportActions ?? ''}>
          <Button
            danger
            aria-label={`Hide ${name}`}
            onClick={({ currentTarget }) => onModerate(currentTarget, { isHidden: true })}
          >
            Hide
          </Button>
          <Button
            aria-label={`${lock} post ${title}`}
            onClick={({ currentTarget }) => onModerate(currentTarget, { isLocked: !isLocked })}
          >
            {lock} post
          </Button>
          <Button
            aria-label={`Dismiss reports about ${name}`}
            // Not `disabled`, which would drop the focus.
            aria-disabled={isBusy}
            onClick={({ currentTarget }) => !isBusy && onDismiss(currentTarget)}
          >
            Dismiss
          </Button>
        </Flex>
      </div>
    </li>
  );
}

/** What an administrator is about to do, and what it means. */
function wordsOf({ reply, body: { isHidden, isLocked } }: Moderation): {
  act: string;
  what: string;
  help: string;
} {
  if (isHidden)
    return {
      act: 'Hide',
      what: reply ? 'reply' : 'post',
      help: 'Nobody can read it until you show it again.',
    };
  return isLocked
    ? { act: 'Lock', what: 'post', help: 'It takes no replies and no changes until you unlock it.' }
    : { act: 'Unlock', what: 'post', help: 'It takes replies and changes again.' };
}

function ReasonDialog({ actor, onClosed }: { actor: SubmissionActor<Moderation>; onClosed: () => void }) {
  const subject = useSelector(actor, ({ context }) => context.subject);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);
  const field = useRef<InputRef>(null);
  const { act, what, help } = subject ? wordsOf(subject) : { act: '', what: '', help: '' };
  return (
    <SubmissionDialog
      actor={actor}
      isForm
      isDangerous={act === 'Hide'}
      firstFocus={field}
      title={`${act} ${what}`}
      act={act}
      busyAct="Saving..."
      failureOf={(failure) => `Failed to save: ${failureText(failure)}`}
      onClosed={() => {
        setReason('');
        setError(null);
        onClosed();
      }}
      onConfirm={() => {
        if (!subject) return;
        const checked = moderateForumPost.safeParse({ ...subject.body, reason });
        setError(checked.error?.issues[0]?.message ?? null);
        if (checked.success)
          actor.send({ type: 'submission.confirm', subject: { ...subject, body: checked.data } });
        else field.current?.focus();
      }}
    >
      <div className={styles.moderation}>
        <p>{help}</p>
        <ReasonField
          error={error}
          field={field}
          help={publicReason}
          value={reason}
          onChange={(text) => {
            setReason(text);
            setError(null);
          }}
        />
      </div>
    </SubmissionDialog>
  );
}
