import { LoadingOutlined } from '@ant-design/icons';
import {
  profileFieldNames,
  profileFields,
  type ProfileField as ProfileFieldRow,
  type ProfileFieldName,
} from '@orange-id/contract/profile.fields';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Button, Flex } from 'antd';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { fromPromise } from 'xstate';
import { z } from 'zod';
import { isOfOtherPortal } from '../../api/account/account.elsewhere';
import { useAuth } from '../../api/session/auth.context';
import { isUserRefusal } from '../../api/session/get.user';
import { useConfig } from '../../api/config/config.context';
import { failureText, profileFailure } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { draftStore, type DraftStore } from '../../api/projects/draft.storage';
import { queryKeys } from '../../api/cache/query.keys';
import { fieldRefusal, updateProfile, withProfile } from '../../api/profile/update.profile';
import { inspected } from '../../inspect/machine.inspect';
import { EmailText } from '../../ui/EmailText';
import { Field } from '../../ui/Field';
import { sessionExpired } from '../../ui/session.text';
import { useToast, useToastDismissal } from '../../ui/toast';
import { profileFieldMachine } from './profile.field.machine';
import { FieldRefusedError, fieldSentence, savedSentence, updateOf } from './field.update';
import { ProfileFieldControl, type Focusable } from './ProfileFieldControl';
import styles from './settings.module.css';

interface ProfileFieldProps {
  field: ProfileFieldName;
  value: string;
  userId: string;
  /** Shown beside the value. */
  children?: ReactNode;
}

const drafts = Object.fromEntries(
  profileFieldNames.map((field) => [field, draftStore(`profileDraft.${field}`, z.string())]),
) as Record<ProfileFieldName, DraftStore<string>>;

/** One field of the profile with its Edit, Save and Cancel buttons; Escape also cancels. */
export function ProfileField({ field, value, userId, children }: ProfileFieldProps) {
  const words = profileFields[field];
  const queryClient = useQueryClient();
  const showToast = useToast();
  const dismissToast = useToastDismissal();
  const { logout } = useAuth();
  const { identity } = useConfig();
  const [machine] = useState(() =>
    profileFieldMachine.provide({
      actors: {
        saveField: fromPromise<void, { value: string }>(async ({ input }) => {
          const changes = updateOf(field, input.value);
          const response = await updateProfile(identity, changes);
          // A pending response may predate the change.
          await queryClient.cancelQueries({ queryKey: queryKeys.user, exact: true });
          queryClient.setQueryData<IdentityUser | null>(
            queryKeys.user,
            (user) => user && withProfile(user, changes, response),
          );
          // Only the service knows whether the new email is already confirmed.
          if (changes.email !== undefined) {
            void queryClient.invalidateQueries({ queryKey: queryKeys.user, exact: true });
            void queryClient.invalidateQueries({ queryKey: queryKeys.accountChanges, exact: true });
          }
        }),
      },
    }),
  );
  const [draftBefore] = useState(() => drafts[field].read(userId));
  const actor = useActorRef(machine, {
    ...inspected,
    id: `profileField.${field}`,
    input: { value, draft: draftBefore },
  });
  const snapshot = useSelector(actor, (current) => current);
  const { draft, failure } = snapshot.context;
  const isViewing = snapshot.can({ type: 'edit.open', value });
  const isSaving = snapshot.hasTag('busy');

  const input = useRef<Focusable>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  useFocusAcross(isViewing, input, editButton);

  useEffect(() => {
    const kept = actor.subscribe((current) => {
      const { draft: text, original } = current.context;
      if (!current.can({ type: 'edit.open', value: '' }) && text !== original)
        drafts[field].store(userId, text);
      else drafts[field].clear(userId);
    });
    return () => kept.unsubscribe();
  }, [actor, field, userId]);

  useEffect(() => {
    const saved = actor.on('field.saved', () =>
      showToast({ tone: 'success', title: 'Profile Updated', description: savedSentence(field) }),
    );
    const failed = actor.on('save.failed', ({ error }) => {
      input.current?.focus();
      if (error instanceof FieldRefusedError || isOfOtherPortal(error)) return;
      console.error(`Saving ${field} failed`, error);
      if (isUserRefusal(error)) {
        showToast(sessionExpired);
        logout();
      } else {
        showToast({
          tone: 'error',
          title: 'Update Failed',
          description: profileFailure(error),
        });
      }
    });
    return () => {
      saved.unsubscribe();
      failed.unsubscribe();
    };
  }, [actor, field, logout, showToast]);

  return (
    <div data-machine="profileField" data-field={field} data-state={String(snapshot.value)}>
      {isViewing ? (
        <>
          <div className="rows-words">
            <span className="note">{words.label}</span>
            <div>
              <strong className={value ? styles.profileFieldValue : `${styles.profileFieldValue} unset`}>
                <FieldValue field={field} value={value} />
              </strong>{' '}
              {children}
            </div>
          </div>
          <Button
            ref={editButton}
            aria-label={`Edit ${words.label}`}
            onClick={() => {
              dismissToast();
              actor.send({ type: 'edit.open', value });
            }}
          >
            Edit
          </Button>
        </>
      ) : (
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            actor.send({ type: 'edit.save' });
          }}
        >
          <Field
            label={words.label}
            help={words.help}
            error={failureSentence(field, failure, identity.baseUrl)}
          >
            {(control) => (
              <ProfileFieldControl
                ref={input}
                field={field}
                stored={value}
                draft={draft}
                isSaving={isSaving}
                control={control}
                onChange={(text) => actor.send({ type: 'draft.change', text })}
                onCancel={() => actor.send({ type: 'edit.cancel' })}
              />
            )}
          </Field>
          <Flex gap={8}>
            <Button
              type="primary"
              htmlType="submit"
              icon={isSaving && <LoadingOutlined aria-hidden />}
              disabled={isSaving}
            >
              {isSaving ? 'Saving...' : 'Save'}
            </Button>
            <Button disabled={isSaving} onClick={() => actor.send({ type: 'edit.cancel' })}>
              Cancel
            </Button>
          </Flex>
        </form>
      )}
    </div>
  );
}

function FieldValue({ field, value }: { field: ProfileFieldName; value: string }) {
  if (value === '') return 'Not set';
  if (field === 'email') return <EmailText email={value} />;
  return ((profileFields[field] as ProfileFieldRow).prefix ?? '') + value;
}

/** Moves the focus to the input when editing starts and back to the edit button when it ends, but not on mount. */
function useFocusAcross(
  isViewing: boolean,
  input: { current: Focusable | null },
  editButton: { current: HTMLButtonElement | null },
): void {
  const wasViewing = useRef(isViewing);
  useEffect(() => {
    if (wasViewing.current === isViewing) return;
    wasViewing.current = isViewing;
    if (isViewing) editButton.current?.focus();
    else input.current?.focus();
  }, [isViewing, input, editButton]);
}

/** The error under the field after a failed save. */
function failureSentence(field: ProfileFieldName, failure: unknown, keptAt: string): string | null {
  if (failure === null) return null;
  if (isOfOtherPortal(failure))
    return `Your account is managed at ${new URL(keptAt).host}. Change your confirmed email there.`;
  if (failure instanceof FieldRefusedError) return failure.message;
  const refusal = failure instanceof HttpError ? fieldRefusal(failure, profileFields[field].sentAs) : null;
  return refusal === null
    ? `${failureText(failure)} Your change is still here.`
    : fieldSentence(field, refusal);
}
