import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { createContext, useContext } from 'react';

/** The signed-in user. `isLoading` is true until the stored session has been checked, 15 s at most. */
export interface Auth {
  isAuthenticated: boolean;
  isLoading: boolean;
  /** `null` while signed out, and while the identity service doesn't respond. */
  user: IdentityUser | null;
  accessToken: string | null;
  /** This tab's last session ended without a sign-out here, and nobody has signed in since. */
  wasCutShort: boolean;
  /** Signs out at the identity service, then clears the local session and opens /login. */
  logout(): void;
}

export const AuthContext = createContext<Auth>({
  isAuthenticated: false,
  isLoading: false,
  user: null,
  accessToken: null,
  wasCutShort: false,
  logout: () => undefined,
});

/** The session as pages see it. */
export const useAuth = (): Auth => useContext(AuthContext);
