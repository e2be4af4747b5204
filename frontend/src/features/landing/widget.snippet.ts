import type { LoginPanel } from '@bedrock_org/passport';
import type { PublicConfig } from '@orange-id/contract/config.schema';
import type { ComponentProps } from 'react';

type PanelFeature = keyof NonNullable<ComponentProps<typeof LoginPanel>['features']>;

export const features = {
  wallet: { prop: 'enableWalletConnect', title: 'Wallet' },
  apple: { prop: 'enableAppleLogin', title: 'Apple' },
  google: { prop: 'enableGoogleLogin', title: 'Google' },
  email: { prop: 'enableEmailLogin', title: 'Email' },
} as const satisfies Record<string, { prop: PanelFeature; title: string }>;
export type Feature = keyof typeof features;

export const installCommand = 'npm install @bedrock_org/passport';

/** A complete React app that signs in with this portal's identity service. */
export const widgetSnippet = ({ identity }: Pick<PublicConfig, 'identity'>): string => `\
import { BedrockPassportProvider, LoginPanel, useBedrockPassport } from '@bedrock_org/passport';
import { useEffect } from 'react';

export default function App() {
  const isCallback = window.location.pathname === '/auth/callback';
  return (
    <BedrockPassportProvider
      baseUrl=${JSON.stringify(identity.baseUrl)}
      authCallbackUrl={window.location.origin + '/auth/callback'}
      tenantId=${JSON.stringify(identity.tenantId)}
      subscriptionKey=${JSON.stringify(identity.subscriptionKey)}
    >
      {isCallback ? <Callback /> : <Home />}
    </BedrockPassportProvider>
  );
}

function Home() {
  const { isLoggedIn, signOut } = useBedrockPassport();
  if (!isLoggedIn) return <LoginPanel title="Sign in" />;
  return <button onClick={() => signOut()}>Sign out</button>;
}

function Callback() {
  const { loginCallback } = useBedrockPassport();
  useEffect(() => {
    const query = new URLSearchParams(window.location.search);
    loginCallback(query.get('token'), query.get('refreshToken')).then(() => window.location.replace('/'));
  }, []);
  return <p>Signing in…</p>;
}`;

/** The login panel with only these sign-in methods. All of them is the panel's default and needs no prop. */
export function panelSnippet(chosen: ReadonlySet<Feature>): string {
  const off = (Object.keys(features) as Feature[]).filter((feature) => !chosen.has(feature));
  if (off.length === 0) return '<LoginPanel title="Sign in to" />';
  const lines = off.map((feature) => `    ${features[feature].prop}: false,`);
  return ['<LoginPanel', '  title="Sign in to"', '  features={{', ...lines, '  }}', '/>'].join('\n');
}
