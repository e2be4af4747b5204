import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { createContext, useContext } from 'react';

/** Who is signed in. `isLoading` is true until the stored session has been judged, 15 s at most. */
export interface Auth {
  isAuthenticated: boolean;
  isLoading: boolean;
  /** Null while signed out, and while the identity service does not answer. */
  user: IdentityUser | null;
  accessToken: string | null;
  /** The last session of this tab ended without a sign-out here, and nobody has signed in since. */
  wasCutShort: boolean;
  /** Manual sign-out: passport first, then the local session, then /login. */
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

/** The session as the page may know it. */
export const useAuth = (): Auth => useContext(AuthContext);
