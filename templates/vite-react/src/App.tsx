import { MembersPage } from './MembersPage';
import { useOrangeId } from './useOrangeId';

export function App() {
  const { user, error, signIn, signOut } = useOrangeId();
  const isMembersPage = window.location.pathname === '/members';
  return (
    <>
      <header>
        <nav>
          <a href="/">Home</a>
          <a href="/members">Members</a>
        </nav>
        {user && <button onClick={signOut}>Sign out</button>}
        {user === null && <button onClick={signIn}>Sign in</button>}
      </header>
      <main>
        {error && <p role="alert">{error}</p>}
        {user === undefined && <p>Loading…</p>}
        {user === null && <h1>{isMembersPage ? 'Sign in to see this page' : 'Welcome'}</h1>}
        {user &&
          (isMembersPage ? <MembersPage /> : <h1>Hello, {user.displayName ?? user.email ?? 'new user'}</h1>)}
      </main>
    </>
  );
}
