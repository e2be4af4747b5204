import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useConnect } from 'wagmi';
import { BedrockPassportProvider, LoginPanel, useBedrockPassport } from '@/cdn';

const { portal, project, callback } = window.site;

/** A page with the published panel, set up as its README says, with the values of a project. */
function Page() {
  const { user, isLoggedIn, loginCallback } = useBedrockPassport();
  const { connect, connectors } = useConnect();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const query = new URLSearchParams(window.location.search);
    if (!query.has('token')) return;
    window.history.replaceState(null, '', '/');
    void loginCallback(query.get('token'), query.get('refreshToken')).then(
      (isDone) => isDone || setProblem('The callback failed'),
    );
  }, []);
  return (
    <>
      <LoginPanel features={{ enableEmailLogin: true, showLogoutButton: true }} />
      {/* The panel's own list of wallets comes from a service of its vendor. */}
      <button onClick={() => connect({ connector: connectors.find(({ type }) => type === 'injected') })}>
        Connect this browser’s wallet
      </button>
      <p role="status">{isLoggedIn ? `Signed in: ${JSON.stringify(user ?? null)}` : problem}</p>
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <BedrockPassportProvider
    baseUrl={portal}
    authCallbackUrl={callback}
    tenantId={project}
    subscriptionKey={project}
  >
    <Page />
  </BedrockPassportProvider>,
);
