import { useEffect } from 'react';
import { useCallKeys } from '../../api/keys/call.keys';

export interface ExampleKeyProps {
  /** The id of the key that is chosen in the explorer, if any. */
  chosen: string | null;
  onKey: (key: string | null) => void;
}

/** Reads the signed-in user's keys and names the one that the code examples carry: the chosen one, or the first. */
export function ExampleKey({ chosen, onKey }: ExampleKeyProps) {
  const { keys } = useCallKeys();
  const { key = null } = keys.find(({ id }) => id === chosen) ?? keys[0] ?? {};
  useEffect(() => {
    onKey(key);
    return () => onKey(null);
  }, [key, onKey]);
  return null;
}
