import { DeleteOutlined, LoadingOutlined } from '@ant-design/icons';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Alert, Button, Card, Flex, Input, type InputRef } from 'antd';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { fromPromise } from 'xstate';
import { useAuth } from '../../api/session/auth.context';
import { failureText } from '../../api/failure.text';
import { useSavedKeys } from '../../api/keys/saved.keys';
import { inspected } from '../../inspect/machine.inspect';
import { Ago } from '../../ui/Ago';
import { Field } from '../../ui/Field';
import { KeyCurl } from '../../ui/KeyCurl';
import { findIn, needsFinder } from '../../ui/list.finder';
import { ListFinder, type ListSearch } from '../../ui/ListFinder';
import { ListState } from '../../ui/ListState';
import { PageHead } from '../../ui/PageHead';
import { SecretKey } from '../../ui/SecretKey';
import { SubmissionDialog } from '../../ui/SubmissionDialog';
import { useToast, type ToastMessage } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import { deleteKeyMachine } from './delete.key.machine';
import { makeKey, nameDrafts, removeKey } from './saved.key.changes';
import { savedKeysMachine, type SavedKeysNotice } from './saved.keys.machine';
import '../../ui/rows.css';

/** The toast for an event of the machine; a refused name is shown at its field instead. */
function noticeToast(notice: SavedKeysNotice): ToastMessage | null {
  switch (notice.type) {
    case 'name.refused':
      return null;
    case 'key.created':
      return { tone: 'success', title: 'API key created successfully', description: notice.key.name };
    case 'creation.failed':
      return { tone: 'error', title: 'Failed to create API key', description: failureText(notice.error) };
  }
}

/** `/keys`: the user's keys that belong to no project; each can be revealed, copied and deleted. */
export function KeysPage() {
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data, error, isPending, isFetching, refetch } = useSavedKeys();
  const userId = useAuth().user?.id ?? null;
  const logic = useMemo(
    () =>
      savedKeysMachine.provide({
        actors: {
          createKey: fromPromise<SavedKey, string>(({ input }) =>
            makeKey(queryClient, { name: input, userId }),
          ),
        },
      }),
    [queryClient, userId],
  );
  const [draft] = useState(() => (userId === null ? null : nameDrafts.read(userId)));
  const actor = useActorRef(logic, { ...inspected, input: { name: draft ?? '' } });
  const snapshot = useSelector(actor, (current) => current);
  const { name, nameError, creationFailure, created } = snapshot.context;
  const isCreating = snapshot.hasTag('busy');
  const remove = useCallback((key: SavedKey) => removeKey(queryClient, key), [queryClient]);
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
    // A creation moves the focus when it ends, which must not leave the dialog.
    if (!isCreating) deletion.send({ type: 'submission.open', subject: key });
  };
  const nameInput = useRef<InputRef>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [search, setSearch] = useState<ListSearch>({ text: '', order: 'newest' });
  const isLong = needsFinder(data?.length ?? 0);
  const shown = isLong && data ? findIn(data, search, (key) => key) : (data ?? []);

  useEffect(() => {
    const subscriptions = [
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
              actor.send({ type: 'key.create' });
            }}
          >
            <Field
              label="Name"
              help="What the key is for. Only you can see this."
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
          </form>
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
          <h2 id="keys-heading" ref={heading} tabIndex={-1}>
            Your API keys
          </h2>
          {!data && created && (
            <ul className="rows rows-framed" aria-label="The new API key">
              <KeyRow saved={created} isNew onDelete={() => askToDelete(created)} />
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
                  : search.text.trim() !== '' && `${shown.length} of ${data?.length} API keys`}
              </p>
            )}
            <ul className="rows rows-framed" aria-labelledby="keys-heading" hidden={shown.length === 0}>
              {shown.map((key) => (
                <KeyRow
                  key={key.id}
                  saved={key}
                  isNew={key.id === created?.id}
                  onDelete={() => askToDelete(key)}
                />
              ))}
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
        <strong>{chosen?.name}</strong> stops working within a second, wherever you use it. You can’t undo
        this. Recorded calls stay in Usage.
      </SubmissionDialog>
    </div>
  );
}

interface KeyRowProps {
  saved: SavedKey;
  /** Just created: revealed, with a first call, and focused. */
  isNew: boolean;
  onDelete: () => void;
}

function KeyRow({ saved: { id, name, key, createdAt, lastUsed }, isNew, onDelete }: KeyRowProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isRevealed = chosen ?? isNew;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNew) row.current?.focus();
  }, [isNew]);
  return (
    <li ref={row} tabIndex={-1} aria-label={name}>
      <div className="rows-block">
        <Flex gap={12} align="center">
          <div className="rows-words">
            <strong>{name}</strong>
            <span className="note">
              Created <Ago iso={createdAt} /> ·{' '}
              {lastUsed ? (
                <>
                  Last used <Ago iso={lastUsed} />
                </>
              ) : (
                'Not used yet'
              )}
            </span>
          </div>
          <Link
            className="action-link"
            to={`/usage?${new URLSearchParams({ keyId: id })}`}
            aria-label={`View calls made with ${name}`}
          >
            View calls
          </Link>
          <Button
            type="text"
            danger
            icon={<DeleteOutlined />}
            aria-label={`Delete ${name}`}
            onClick={onDelete}
          />
        </Flex>
        <SecretKey
          label={`API key ${name}`}
          value={key}
          isRevealed={isRevealed}
          onToggle={() => setChosen(!isRevealed)}
        />
        {isNew && <KeyCurl apiKey={key} isRevealed={isRevealed} />}
      </div>
    </li>
  );
}
