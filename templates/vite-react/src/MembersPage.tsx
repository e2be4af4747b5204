import { useEffect, useState } from 'react';

/** A page for signed-in users. What it shows comes from the server, which verifies the access token. */
export function MembersPage() {
  const [answer, setAnswer] = useState('Loading…');

  useEffect(() => {
    const load = async () => {
      const token = await OrangeID.getAccessToken();
      const response = await fetch('/api/me', { headers: { Authorization: `Bearer ${token}` } });
      return JSON.stringify(await response.json(), null, 2);
    };
    let isShown = true;
    load()
      .catch((error: unknown) => String(error))
      .then((text) => isShown && setAnswer(text));
    return () => {
      isShown = false;
    };
  }, []);

  return (
    <>
      <h1>Members</h1>
      <p>The server verified your access token. It knows:</p>
      <pre>{answer}</pre>
    </>
  );
}
