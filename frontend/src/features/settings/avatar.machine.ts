import { avatarRefusal, type AvatarRefusal } from '@orange-id/contract/avatar.rule';
import { assign, emit, fromPromise, setup } from 'xstate';

/** Why the picture didn't change: the file was rejected before any request, or a request failed. */
export type AvatarFailure =
  { by: 'rule'; refusal: AvatarRefusal } | { by: 'upload' | 'deletion'; error: unknown };

type AvatarEvent =
  | { type: 'file.choose'; file: File }
  | { type: 'picture.delete' }
  | { type: 'deletion.confirm' }
  | { type: 'deletion.cancel' };

/** Notices that the view shows as toasts. */
export type AvatarNotice =
  | { type: 'picture.uploaded' }
  | { type: 'picture.deleted' }
  | { type: 'avatar.failed'; failure: AvatarFailure };

/**
 * Uploads or deletes the profile photo, one request at a time. It checks a file's size and type before the upload,
 * and asks for confirmation before a deletion.
 */
export const avatarMachine = setup({
  types: {
    /** Error of the last attempt, cleared by the next one. */
    context: {} as { failure: AvatarFailure | null },
    events: {} as AvatarEvent,
    emitted: {} as AvatarNotice,
    /** `open`: the dialog that asks before a deletion. */
    tags: {} as 'busy' | 'open',
  },
  actors: {
    uploadPicture: fromPromise<void, { file: File }>(() => {
      throw new Error('avatar: uploadPicture is not provided');
    }),
    deletePicture: fromPromise<void>(() => {
      throw new Error('avatar: deletePicture is not provided');
    }),
  },
  guards: {
    isAcceptable: (_, { file }: { file: File }) => avatarRefusal(file) === null,
  },
}).createMachine({
  id: 'avatar',
  context: { failure: null },
  initial: 'idle',
  states: {
    idle: {
      on: {
        'file.choose': [
          { guard: { type: 'isAcceptable', params: ({ event }) => event }, target: 'uploading' },
          {
            actions: [
              assign({ failure: ({ event: { file } }) => refused(file) }),
              emit(({ event: { file } }) => ({ type: 'avatar.failed', failure: refused(file) })),
            ],
          },
        ],
        'picture.delete': 'confirming',
      },
    },
    confirming: { tags: 'open', on: { 'deletion.confirm': 'deleting', 'deletion.cancel': 'idle' } },
    uploading: {
      tags: 'busy',
      entry: assign({ failure: null }),
      invoke: {
        src: 'uploadPicture',
        input: ({ event }) => ({ file: chosen(event) }),
        onDone: { target: 'idle', actions: emit({ type: 'picture.uploaded' }) },
        onError: {
          target: 'idle',
          actions: [
            assign({ failure: ({ event: { error } }) => ({ by: 'upload' as const, error }) }),
            emit(({ event: { error } }) => ({ type: 'avatar.failed', failure: { by: 'upload', error } })),
          ],
        },
      },
    },
    deleting: {
      tags: ['open', 'busy'],
      entry: assign({ failure: null }),
      invoke: {
        src: 'deletePicture',
        onDone: { target: 'idle', actions: emit({ type: 'picture.deleted' }) },
        onError: {
          target: 'idle',
          actions: [
            assign({ failure: ({ event: { error } }) => ({ by: 'deletion' as const, error }) }),
            emit(({ event: { error } }) => ({ type: 'avatar.failed', failure: { by: 'deletion', error } })),
          ],
        },
      },
    },
  },
});

function refused(file: File): AvatarFailure {
  const refusal = avatarRefusal(file);
  if (refusal === null) throw new Error('avatar: an acceptable file was not uploaded');
  return { by: 'rule', refusal };
}

function chosen(event: AvatarEvent): File {
  if (event.type !== 'file.choose') throw new Error('avatar: no file was chosen');
  return event.file;
}
