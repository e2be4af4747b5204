import '../../ui/rows.css';
import { DeleteOutlined, EditOutlined, LoadingOutlined, RetweetOutlined } from '@ant-design/icons';
import { explorerPath } from '@orange-id/contract/docs.url';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Button, Card, Flex, Input, type InputRef } from 'antd';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import { fromPromise } from 'xstate';
import { useAuth } from '../../api/session/auth.context';
import { failureText } from '../../api/failure.text';
import { endKey, savedKeys } from '../../api/keys/key.list';
import { useLiveKeys } from '../../api/keys/live.keys';
import { inspected } from '../../inspect/machine.inspect';
import { Field } from '../../ui/Field';
import { KeyCurl } from '../../ui/KeyCurl';
import { EditKeyDialog } from '../../ui/keys/EditKeyDialog';
import { noTerms } from '../../ui/keys/key.terms';
import { KeyFacts, KeyTags } from '../../ui/keys/KeyFacts';
import { KeyTermsFields } from '../../ui/keys/KeyTermsFields';
import { EndKeyDialog, KeyOverlap } from '../../ui/keys/KeyOverlap';
import { RecentUse } from '../../ui/keys/RecentUse';
import { RotateKeyDialog, usualOverlapDays } from '../../ui/keys/RotateKeyDialog';
import { useKeyDialogs } from '../../ui/keys/useKeyDialogs';
import { useKeyTerms } from '../../ui/keys/useKeyTerms';
import { WhichKey } from '../../ui/keys/WhichKey';
import { findIn, needsFinder } from '../../ui/list.finder';
import { ListFinder, type ListSearch } from '../../ui/ListFinder';
import { ListState } from '../../ui/ListState';
import { LiveState } from '../../ui/LiveState';
import { PageHead } from '../../ui/PageHead';
import { SecretKey } from '../../ui/SecretKey';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import { useToast, type ToastMessage } from '../../ui/toast';
import { Tooltip } from '../../ui/Tooltip';
import { useUtcDay } from '../../ui/utc.day';
import { useSubmission } from '../../ui/useSubmission';
import { deleteKeyMachine } from './delete.key.machine';
import { makeKey, nameDrafts } from './saved.key.changes';
import {
  nameRefusal,
  savedKeysMachine,
  type KeyTerms,
  type MadeKey,
  type SavedKeysNotice,
} from './saved.keys.machine';
import styles from './keys.module.css';

/** The toast for an event of the machine; a refused name is shown at its field instead. */
function noticeToast(notice: SavedKeysNotice): ToastMessage | null {
  switch (notice.type) {
    case 'name.refused':
      return null;
    case 'key.created':
      return { tone: 'success', title: 'API key created successfully', description: notice.key.name };
    case 'terms.failed':
      return {
        tone: 'error',
        title: 'API key created without its expiry and limit',
        description: failureText(notice.error),
      };
    case 'creation.failed':
      return { tone: 'error', title: 'Failed to create API key', description: failureText(notice.error) };
  }
}

/** `/keys`: the user's keys that belong to no project; each can be revealed, copied, changed, rotated and deleted. */
export function KeysPage() {
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data, error, isPending, isFetching, refetch, dataUpdatedAt } = useLiveKeys(savedKeys, useUtcDay());
  const userId = useAuth().user?.id ?? null;
  const logic = useMemo(
    () =>
      savedKeysMachine.provide({
        actors: {
          createKey: fromPromise<MadeKey, { name: string; terms: KeyTerms }>(({ input }) =>
            makeKey(queryClient, { ...input, userId }),
          ),
        },
      }),
    [queryClient, userId],
  );
  const [draft] = useState(() => (userId === null ? null : nameDrafts.read(userId)));
  const actor = useActorRef(logic, { ...inspected, input: { name: draft ?? '' } });
  const snapshot = useSelector(actor, (current) => current);
  const { name, nameError, creationFailure, incomplete, created } = snapshot.context;
  const isCreating = snapshot.hasTag('busy');
  const remove = useCallback(({ id }: SavedKey) => endKey(queryClient, savedKeys, id), [queryClient]);
  const deletion = useSubmission(deleteKeyMachine, remove, {
    onDone: (key) => {
      actor.send({ type: 'key.deleted', key });
      showToast({ tone: 'success', title: 'API key deleted successfully', description: key.name });
    },
    onFailed: (reason) =>
      showToast({ tone: 'error', title: 'Failed to delete API key', description: failureText(reason) }),
  });
  const deleting = useSelector(deletion, (current) => current);
  const chosen = deleting.context.subject;
  const askToDelete = (key: SavedKey) => {
    // A creation moves the focus when it ends, which would take the focus out of the dialog.
    if (!isCreating) deletion.send({ type: 'submission.open', subject: key });
  };
  const isJustRotated = useRef(false);
  const dialogs = useKeyDialogs({
    list: savedKeys,
    keys: data,
    onSaved: (key) => actor.send({ type: 'key.saved', key }),
    onRotated: (key) => {
      isJustRotated.current = true;
      actor.send({ type: 'key.rotated', key });
    },
  });
  const [typed, setTyped] = useState(noTerms);
  const { fields, clearProblems, read } = useKeyTerms();
  const create = () => {
    const { terms, wrong } = read(typed, noTerms, '');
    // The machine reports an invalid name, which comes first.
    if (!wrong || nameRefusal(name) !== null) actor.send({ type: 'key.create', terms });
    else wrong.current?.focus();
  };
  const newRow = useRef<HTMLLIElement>(null);
  const nameInput = useRef<InputRef>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [search, setSearch] = useState<ListSearch>({ text: '', order: 'newest' });
  const oldKeys = oldKeysOf(data ?? []);
  // An old key is shown below the one that replaced it.
  const ownRows = (data ?? []).filter(({ id }) => ![...oldKeys.values()].some((old) => old.id === id));
  const isLong = needsFinder(ownRows.length);
  const shown = isLong ? findIn(ownRows, search, (key) => key) : ownRows;

  useEffect(() => {
    const subscriptions = [
      actor.on('key.created', () => setTyped(noTerms)),
      actor.on('terms.failed', () => setTyped(noTerms)),
      actor.on('*', (notice) => {
        const toast = noticeToast(notice);
        if (toast) showToast(toast);
      }),
      actor.on('name.refused', () => nameInput.current?.focus()),
      // Disabling the button during the attempt removed its focus.
      actor.on('creation.failed', () => nameInput.current?.focus()),
    ];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [actor, showToast]);

  useEffect(() => {
    if (userId === null) return;
    const kept = actor.subscribe(({ context }) => {
      if (context.name === '') nameDrafts.clear(userId);
      else nameDrafts.store(userId, context.name);
    });
    return () => kept.unsubscribe();
  }, [actor, userId]);

  useEffect(() => {
    if (data && chosen && !data.some(({ id }) => id === chosen.id))
      deletion.send({ type: 'submission.vanish', what: 'key' });
  }, [deletion, data, chosen, deleting.value]);

  const rowOf = (key: SavedKey) => {
    const old = oldKeys.get(key.id);
    const isNew = key.id === created?.id;
    return (
      <KeyRow
        key={key.id}
        saved={key}
        isNew={isNew}
        row={isNew ? newRow : undefined}
        onEdit={() => dialogs.edit.send({ type: 'submission.open', subject: { key, body: {} } })}
        onRotate={() =>
          dialogs.rotate.send({ type: 'submission.open', subject: { key, overlapDays: usualOverlapDays } })
        }
        onDelete={() => askToDelete(key)}
        overlap={
          old && (
            <KeyOverlap
              current={key}
              old={old}
              readAt={dataUpdatedAt}
              onEnd={() => dialogs.end.send({ type: 'submission.open', subject: old })}
            />
          )
        }
      />
    );
  };

  return (
    <div data-machine="savedKeys" data-state={snapshot.value}>
      <PageHead
        title="API Keys"
        help={
          <>
            Keys for scripts and servers. They work from any origin, so keep them secret. Looking for a
            project’s key? It’s in <Link to="/projects">My Projects</Link>.
          </>
        }
      />
      <Flex vertical gap={24}>
        <Card>
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              create();
            }}
          >
            <Field
              label="Name"
              help="What the key is for. Anyone with the key can read this name."
              error={nameError}
              action={
                <Button
                  htmlType="submit"
                  type="primary"
                  disabled={isCreating}
                  icon={isCreating && <LoadingOutlined aria-hidden />}
                >
                  {isCreating ? 'Creating...' : 'Create API key'}
                </Button>
              }
            >
              {(control) => (
                <Input
                  {...control}
                  ref={nameInput}
                  autoComplete="off"
                  placeholder="Deploy script"
                  readOnly={isCreating}
                  value={name}
                  onChange={({ target }) => actor.send({ type: 'name.change', name: target.value })}
                />
              )}
            </Field>
            <details className={styles.terms}>
              <summary>Expiry and limit</summary>
              <Flex vertical gap={8}>
                <KeyTermsFields
                  {...fields}
                  typed={typed}
                  isReadOnly={isCreating}
                  onType={(change) => {
                    setTyped({ ...typed, ...change });
                    clearProblems();
                  }}
                />
              </Flex>
            </details>
          </form>
          {incomplete && (
            <Alert
              type="warning"
              showIcon
              role="alert"
              title={`“${incomplete.key.name}” works, but without the expiry and the limit: ${failureText(incomplete.termsFailure)}`}
              description="Choose Edit to set them, or delete the key."
            />
          )}
          {creationFailure ? (
            <Alert
              type="error"
              showIcon
              role="alert"
              title={`Failed to create API key: ${failureText(creationFailure)}`}
            />
          ) : null}
        </Card>
        <Flex component="section" vertical gap={12} aria-labelledby="keys-heading">
          <Flex wrap gap="4px 16px" align="center" justify="space-between">
            <h2 id="keys-heading" ref={heading} tabIndex={-1}>
              Your API keys
            </h2>
            {data && data.length > 0 && <LiveState readAt={dataUpdatedAt} />}
          </Flex>
          {!data && created && (
            <ul className="rows rows-framed" aria-label="The new API key">
              {rowOf(created)}
            </ul>
          )}
          <ListState
            isLoading={isPending}
            error={data ? null : error}
            errorTitle="Failed to load API keys"
            isRetrying={isFetching}
            onRetry={() => void refetch()}
            isEmpty={data?.length === 0}
            emptyTitle="No API keys yet"
            emptyHelp="Create your first one above."
          >
            {isLong && (
              <ListFinder
                what="API keys"
                search={search}
                orders={['newest', 'oldest', 'used', 'name']}
                onChange={setSearch}
              />
            )}
            {isLong && (
              <p className={shown.length === 0 ? 'note' : 'visually-hidden'} role="status">
                {shown.length === 0
                  ? 'No API key matches your search.'
                  : search.text.trim() !== '' && `${shown.length} of ${ownRows.length} API keys`}
              </p>
            )}
            <ul className="rows rows-framed" aria-labelledby="keys-heading" hidden={shown.length === 0}>
              {shown.map(rowOf)}
            </ul>
          </ListState>
        </Flex>
      </Flex>
      <SubmissionDialog
        actor={deletion}
        title="Delete API key"
        act="Delete"
        busyAct="Deleting..."
        failureOf={(reason) => `Failed to delete API key: ${failureText(reason)}`}
        goneWords={{ key: 'This API key was already deleted in another tab or on another device.' }}
        focusAfter={heading}
      >
        <Flex vertical gap={12}>
          <span>
            <strong>{chosen?.name}</strong> stops working within a second, wherever you use it. You can’t undo
            this. Recorded calls stay in Usage.
          </span>
          {chosen && <WhichKey saved={chosen} />}
          {chosen && <RecentUse saved={data?.find(({ id }) => id === chosen.id) ?? chosen} />}
        </Flex>
      </SubmissionDialog>
      <EditKeyDialog actor={dialogs.edit} focusAfter={heading} />
      <RotateKeyDialog
        actor={dialogs.rotate}
        focusAfter={heading}
        onClosed={() => {
          if (isJustRotated.current) newRow.current?.focus();
          isJustRotated.current = false;
        }}
      />
      <EndKeyDialog actor={dialogs.end} keys={data} focusAfter={heading} />
    </div>
  );
}

/** The old keys that still work, by the id of the key that replaced them. */
const oldKeysOf = (keys: readonly SavedKey[]): Map<string, SavedKey> =>
  new Map(
    keys.flatMap(({ id, replacesId }) => {
      const old = keys.find((key) => key.id === replacesId && key.replacedAt !== null);
      return old ? [[id, old] as const] : [];
    }),
  );

interface KeyRowProps {
  saved: SavedKey;
  /** Whether the key is just created or rotated: revealed, focused, and with a command for a first call. */
  isNew: boolean;
  row: RefObject<HTMLLIElement | null> | undefined;
  onEdit: () => void;
  onRotate: () => void;
  onDelete: () => void;
  /** The key that this one replaced, while the old one still works. */
  overlap: ReactNode;
}

function KeyRow({ saved, isNew, row, onEdit, onRotate, onDelete, overlap }: KeyRowProps) {
  const { id, name, key } = saved;
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isRevealed = chosen ?? isNew;
  useEffect(() => {
    if (isNew) row?.current?.focus();
  }, [isNew, row]);
  return (
    <li ref={row} tabIndex={-1} aria-label={name}>
      <div className="rows-block">
        <Flex wrap gap="4px 12px" align="start">
          <div className={`rows-words ${styles.keyRowWords}`}>
            <strong>{name}</strong>
            <KeyFacts saved={saved} />
            <KeyTags saved={saved} />
          </div>
          <Flex gap={4} align="center">
            <Link
              className="action-link"
              to={`/usage?${new URLSearchParams({ keyId: id })}`}
              aria-label={`View calls made with ${name}`}
            >
              View calls
            </Link>
            {saved.replacedAt === null && (
              <>
                <RowButton icon={<EditOutlined />} label={`Edit ${name}`} tip="Edit" onClick={onEdit} />
                {!overlap && (
                  <RowButton
                    icon={<RetweetOutlined />}
                    label={`Rotate ${name}`}
                    tip="Rotate"
                    onClick={onRotate}
                  />
                )}
              </>
            )}
            <RowButton
              danger
              icon={<DeleteOutlined />}
              label={`Delete ${name}`}
              tip="Delete"
              onClick={onDelete}
            />
          </Flex>
        </Flex>
        <SecretKey
          label={`API key ${name}`}
          value={key}
          isRevealed={isRevealed}
          onToggle={() => setChosen(!isRevealed)}
        />
        {isNew && (
          <>
            <KeyCurl apiKey={key} isRevealed={isRevealed} />
            <p className="note">
              Or send this call in the <Link to={explorerPath('key')}>API Explorer</Link>.
            </p>
          </>
        )}
        {overlap}
      </div>
    </li>
  );
}

interface RowButtonProps {
  icon: ReactNode;
  label: string;
  tip: string;
  danger?: boolean;
  onClick: () => void;
}

const RowButton = ({ icon, label, tip, danger = false, onClick }: RowButtonProps) => (
  <Tooltip text={tip}>
    <Button type="text" danger={danger} icon={icon} aria-label={label} onClick={onClick} />
  </Tooltip>
);
