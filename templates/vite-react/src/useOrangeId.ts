import { useCallback, useEffect, useState } from 'react';
import type { OrangeIdUser } from './orange-id.types';

/** Whether the script in `index.html` has run. */
const isLoaded = 'OrangeID' in window;
const missing = `${import.meta.env.VITE_PORTAL_URL} didn’t load. Check VITE_PORTAL_URL in .env, then reload.`;

/** The signed-in user (`undefined` until known, `null` for nobody), the last error, and what a visitor can do. */
export function useOrangeId() {
  const [user, setUser] = useState<OrangeIdUser | null | undefined>(isLoaded ? undefined : null);
  const [error, setError] = useState<string | null>(isLoaded ? null : missing);

  const fail = useCallback((reason: unknown) => {
    setError(reason instanceof Error ? reason.message : 'Something went wrong');
    setUser((before) => before ?? null);
  }, []);

  useEffect(() => {
    if (!isLoaded) return;
    const removals = [
      OrangeID.on('signin', (signedIn) => {
        setError(null);
        setUser(signedIn);
      }),
      OrangeID.on('signout', () => setUser(null)),
      OrangeID.on('error', fail),
    ];
    OrangeID.getUser().then(setUser, fail);
    return () => removals.forEach((remove) => remove());
  }, [fail]);

  return {
    user,
    error,
    signIn: () => void (isLoaded && OrangeID.signIn().catch(fail)),
    signOut: () => void (isLoaded && OrangeID.signOut().catch(fail)),
  };
}
