import type { SavedKey } from '@orange-id/contract/keys.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useCallback, useEffect, useRef } from 'react';
import { failureText } from '../../api/failure.text';
import { changeKey, endKey, rotateKey, type KeyList } from '../../api/keys/key.list';
import type { SubmissionActor } from '../submission';
import { useToast } from '../toast';
import { useSubmission } from '../useSubmission';
import {
  editKeyMachine,
  endKeyMachine,
  rotateKeyMachine,
  type KeyEdit,
  type KeyTurn,
} from './key.dialogs.machine';

export interface KeyDialogActors {
  edit: SubmissionActor<KeyEdit, 'key' | 'replaced'>;
  rotate: SubmissionActor<KeyTurn, 'key' | 'replaced'>;
  end: SubmissionActor<SavedKey, 'key'>;
}

interface KeyDialogOptions {
  list: KeyList;
  /** The listed keys; `undefined` while they load. */
  keys: SavedKey[] | undefined;
  /** Called after a key was changed. */
  onSaved?: (key: SavedKey) => void;
  /** Called with the new key after a rotation. */
  onRotated: (key: SavedKey) => void;
}

/** The dialogs that change, rotate and end a key. A dialog notices that its key was deleted or replaced elsewhere. */
export function useKeyDialogs({ list, keys, onSaved, onRotated }: KeyDialogOptions): KeyDialogActors {
  const queryClient = useQueryClient();
  const showToast = useToast();
  const failed = (title: string) => (error: unknown) =>
    showToast({ tone: 'error', title, description: failureText(error) });

  const save = useCallback(
    ({ key: { id }, body }: KeyEdit) => changeKey(queryClient, list, { id, body }),
    [queryClient, list],
  );
  const edit = useSubmission(editKeyMachine, save, {
    onDone: ({ key, body }) => {
      showToast({ tone: 'success', title: 'API key saved', description: body.name ?? key.name });
      onSaved?.(key);
    },
    onFailed: failed('Failed to save API key'),
  });

  const made = useRef<SavedKey>(null);
  const turn = useCallback(
    async ({ key: { id }, ...body }: KeyTurn) => {
      made.current = await rotateKey(queryClient, list, { id, body });
    },
    [queryClient, list],
  );
  const rotate = useSubmission(rotateKeyMachine, turn, {
    onDone: ({ key }) => {
      showToast({ tone: 'success', title: 'API key rotated', description: key.name });
      if (made.current) onRotated(made.current);
    },
    onFailed: failed('Failed to rotate API key'),
  });

  const finish = useCallback(({ id }: SavedKey) => endKey(queryClient, list, id), [queryClient, list]);
  const end = useSubmission(endKeyMachine, finish, {
    onDone: ({ name }) => showToast({ tone: 'success', title: 'Old API key ended', description: name }),
    onFailed: failed('Failed to end API key'),
  });

  useVanishing(edit, keys);
  useVanishing(rotate, keys);
  const ending = useSelector(end, (snapshot) => snapshot);
  useEffect(() => {
    const { subject } = ending.context;
    if (keys && subject && !keys.some(({ id }) => id === subject.id))
      end.send({ type: 'submission.vanish', what: 'key' });
  }, [end, ending, keys]);
  return { edit, rotate, end };
}

/** Tells a dialog that its key is gone, or has been replaced. */
function useVanishing<Subject extends { key: SavedKey }>(
  actor: SubmissionActor<Subject, 'key' | 'replaced'>,
  keys: SavedKey[] | undefined,
): void {
  const snapshot = useSelector(actor, (current) => current);
  useEffect(() => {
    const id = snapshot.context.subject?.key.id;
    if (keys === undefined || id === undefined) return;
    const listed = keys.find((key) => key.id === id);
    if (!listed) actor.send({ type: 'submission.vanish', what: 'key' });
    else if (listed.replacedAt !== null) actor.send({ type: 'submission.vanish', what: 'replaced' });
  }, [actor, keys, snapshot]);
}
