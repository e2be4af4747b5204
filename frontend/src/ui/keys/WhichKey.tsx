import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import type { SavedKey } from '@orange-id/contract/keys.schema';
import { Ago } from '../Ago';
import { maskBetween } from '../mask.key';

/** Tells a key from others of the same name: its ends, and when it was last used. */
export const WhichKey = ({ saved: { key, lastUsed } }: { saved: SavedKey }) => (
  <p className="note">
    <code>{maskBetween(apiKeyEnds(key))}</code> ·{' '}
    <span>
      {lastUsed === null ? (
        'Not used yet'
      ) : (
        <>
          Last used <Ago iso={lastUsed} />
        </>
      )}
    </span>
  </p>
);
