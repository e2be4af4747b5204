import type { ChangeKey, RotateKey, SavedKey } from '@orange-id/contract/keys.schema';
import { submissionMachine } from '../submission';

/** A key and the changes to its fields. */
export interface KeyEdit {
  key: SavedKey;
  body: ChangeKey;
}

/** A key to replace, how long it keeps working, in days, and the expiry and limit of the new one. */
export interface KeyTurn extends RotateKey {
  key: SavedKey;
}

/** Changes the name, expiry or limit of an API key. */
export const editKeyMachine = submissionMachine<KeyEdit, 'key' | 'replaced'>('editKey');

/** Replaces an API key with a new one, while the old one keeps working for some days. */
export const rotateKeyMachine = submissionMachine<KeyTurn, 'key' | 'replaced'>('rotateKey');

/** Ends the old key of a rotation after confirmation. */
export const endKeyMachine = submissionMachine<SavedKey, 'key'>('endKey');
