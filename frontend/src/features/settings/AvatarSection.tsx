import { DeleteOutlined, LoadingOutlined, UploadOutlined } from '@ant-design/icons';
import { isDefaultAvatar, type AvatarRefusal } from '@orange-id/contract/avatar.rule';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import type { PictureAnswer } from '@orange-id/contract/profile.schema';
import { useQueryClient } from '@tanstack/react-query';
import { useActorRef, useSelector } from '@xstate/react';
import { Button, Card, Flex } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { fromPromise } from 'xstate';
import { useAuth } from '../../api/session/auth.context';
import { isUserRefusal } from '../../api/session/get.user';
import { useConfig } from '../../api/config/config.context';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { queryKeys } from '../../api/cache/query.keys';
import { deleteAvatar, uploadAvatar, withPicture } from '../../api/profile/upload.avatar';
import { inspected } from '../../inspect/machine.inspect';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { pictureAddress } from '../../ui/picture.address';
import { sessionExpired } from '../../ui/session.text';
import { useToast, type ToastMessage } from '../../ui/toast';
import { avatarLetter } from '../../ui/UserAvatar';
import { SettingsSection } from './SettingsSection';
import { avatarMachine, type AvatarFailure } from './avatar.machine';
import fieldStyles from '../../ui/field.module.css';
import userAvatarStyles from '../../ui/user-avatar.module.css';
import styles from './settings.module.css';

type ToastText = Required<Omit<ToastMessage, 'tone'>>;

const refusals: Record<AvatarRefusal, ToastText> = {
  tooLarge: { title: 'File Too Large', description: 'Please select an image smaller than 1MB.' },
  notAnImage: { title: 'Invalid File Type', description: 'Please select an image file (JPG, PNG, etc.).' },
};

/** 'Profile Picture': the current picture, with buttons to upload another one and to return to the default one. */
export function AvatarSection({ user }: { user: IdentityUser }) {
  const { identity } = useConfig();
  const { logout } = useAuth();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const input = useRef<HTMLInputElement>(null);

  const [machine] = useState(() => {
    const take = (answer: PictureAnswer) => {
      queryClient.setQueryData<IdentityUser | null>(
        queryKeys.user,
        (known) => known && withPicture(known, answer),
      );
      for (const queryKey of [queryKeys.user, queryKeys.projects, queryKeys.reward])
        void queryClient.invalidateQueries({ queryKey, exact: true });
    };
    return avatarMachine.provide({
      actors: {
        uploadPicture: fromPromise(async ({ input: { file } }) => take(await uploadAvatar(identity, file))),
        deletePicture: fromPromise(async () => take(await deleteAvatar(identity))),
      },
    });
  });
  const avatar = useActorRef(machine, inspected);
  const snapshot = useSelector(avatar, (current) => current);
  const { failure } = snapshot.context;

  useEffect(() => {
    const subscriptions = [
      avatar.on('picture.uploaded', () =>
        showToast({ tone: 'success', title: 'Photo Updated', description: 'Your new photo is saved.' }),
      ),
      avatar.on('picture.deleted', () =>
        showToast({
          tone: 'success',
          title: 'Avatar Deleted',
          description: 'Your profile now shows the default photo.',
        }),
      ),
      avatar.on('avatar.failed', ({ failure: failed }) => {
        showToast({ tone: 'error', ...toastOf(failed) });
        if (failed.by === 'rule') return;
        console.error(`The ${failed.by} of the picture failed`, failed.error);
        if (failed.by === 'upload' && isUserRefusal(failed.error)) logout();
      }),
    ];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [avatar, logout, showToast]);

  const isBusy = snapshot.hasTag('busy');
  const isOpen = snapshot.hasTag('open');
  const isUploading = isBusy && !isOpen;
  const isDeleting = isBusy && isOpen;
  const picture = pictureAddress(user.picture, user.profilePicture, user.photoUrl);
  const hasPhoto = picture !== null && !isDefaultAvatar(picture);
  const uploadButton = useRef<HTMLButtonElement>(null);
  const wasUploading = useRef(false);
  useEffect(() => {
    // The button lost the focus when it was disabled during the upload; keyboard users need it back.
    const isOver = wasUploading.current && !isUploading;
    if (isOver && document.activeElement === document.body) uploadButton.current?.focus();
    wasUploading.current = isUploading;
  }, [isUploading]);
  const deleteButton = useRef<HTMLButtonElement>(null);
  const hadPhoto = useRef(hasPhoto);
  useEffect(() => {
    // The dialog returned the focus to the delete button, which is now disabled.
    const isLost = [document.body, deleteButton.current].includes(
      document.activeElement as HTMLButtonElement,
    );
    if (hadPhoto.current && !hasPhoto && isLost) uploadButton.current?.focus();
    hadPhoto.current = hasPhoto;
  }, [hasPhoto]);
  return (
    <SettingsSection title="Profile Picture">
      <Card>
        <Flex wrap gap="16px 24px" align="center" data-machine="avatar" data-state={snapshot.value}>
          <AvatarPicture user={user} picture={picture} />
          <Flex vertical gap={12} flex="1 1 240px">
            <Flex wrap gap={8} className={styles.avatarButtons}>
              <input
                ref={input}
                type="file"
                accept="image/*"
                className="visually-hidden"
                tabIndex={-1}
                aria-hidden
                onChange={({ target }) => {
                  const file = target.files?.[0];
                  // Without this, choosing the same file again would fire no event.
                  target.value = '';
                  if (file) avatar.send({ type: 'file.choose', file });
                }}
              />
              <Button
                ref={uploadButton}
                icon={isUploading ? <LoadingOutlined aria-hidden /> : <UploadOutlined aria-hidden />}
                disabled={isBusy}
                aria-describedby="avatar-note"
                onClick={() => input.current?.click()}
              >
                {isUploading ? 'Uploading...' : 'Upload photo'}
              </Button>
              <Button
                ref={deleteButton}
                icon={isDeleting ? <LoadingOutlined aria-hidden /> : <DeleteOutlined aria-hidden />}
                disabled={isBusy || !hasPhoto}
                aria-describedby="avatar-note"
                onClick={() => avatar.send({ type: 'picture.delete' })}
              >
                {isDeleting ? 'Deleting...' : 'Delete photo'}
              </Button>
            </Flex>
            <p
              id="avatar-note"
              className={
                failure
                  ? `${styles.avatarNote} ${fieldStyles.note} ${fieldStyles.noteError}`
                  : `${styles.avatarNote} ${fieldStyles.note}`
              }
            >
              {failure ? (
                toastOf(failure).description
              ) : (
                <>
                  {!hasPhoto && (
                    <>
                      <span>No photo uploaded.</span>
                      <br />
                    </>
                  )}
                  <span>JPG, PNG, WebP, GIF or AVIF, under 1 MB and 25 megapixels (AVIF: 8).</span>
                </>
              )}
            </p>
          </Flex>
        </Flex>
        <ConfirmDialog
          isOpen={isOpen}
          title="Delete photo"
          act="Delete photo"
          busyAct="Deleting..."
          isBusy={isDeleting}
          focusAfter={uploadButton}
          onConfirm={() => avatar.send({ type: 'deletion.confirm' })}
          onCancel={() => avatar.send({ type: 'deletion.cancel' })}
        >
          This removes your photo everywhere and shows the default photo instead.
        </ConfirmDialog>
      </Card>
    </SettingsSection>
  );
}

/** The picture as a 15rem square, or the first letter of the display name if there is none or it doesn't load. */
function AvatarPicture({ user, picture }: { user: IdentityUser; picture: string | null }) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <div className={`${userAvatarStyles.root} ${styles.avatarPicture}`}>
      {picture === null || picture === broken ? (
        <span aria-hidden>{avatarLetter(user)}</span>
      ) : (
        <img src={picture} alt="Your profile photo" onError={() => setBroken(picture)} />
      )}
    </div>
  );
}

function toastOf(failure: AvatarFailure): ToastText {
  if (failure.by === 'rule') return refusals[failure.refusal];
  const error = failure.error as Error;
  if (isUserRefusal(error)) return sessionExpired;
  if (failure.by === 'deletion')
    return { title: 'Delete Failed', description: `Failed to delete avatar: ${failureText(error)}` };
  return { title: 'Upload Failed', description: uploadSentence(error) };
}

/** The sentence for a failed upload. Only the server reads the file's content, so its reason is shown. */
function uploadSentence(error: Error): string {
  if (error instanceof HttpError && error.code === 'profile.pictureTooLarge')
    return refusals.tooLarge.description;
  if (error instanceof HttpError && error.code === 'profile.pictureInvalid')
    return error.serverMessage === undefined ? refusals.notAnImage.description : failureText(error);
  return failureText(error);
}
