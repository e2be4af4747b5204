import type { SavedKey } from '@orange-id/contract/keys.schema';
import { submissionMachine } from '../../ui/submission';

/** Deletes an API key that belongs to no project, after confirmation. */
export const deleteKeyMachine = submissionMachine<SavedKey, 'key'>('deleteKey');
