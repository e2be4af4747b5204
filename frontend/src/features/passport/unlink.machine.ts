import type { SignInMethod } from '@orange-id/contract/identity.schema';
import { submissionMachine } from '../../ui/submission';

/** Removes a sign-in method after confirmation. */
export const unlinkMachine = submissionMachine<SignInMethod>('unlink');
