import type { LoginPanel } from '@bedrock_org/passport';
import type { ComponentProps } from 'react';

type PanelFeature = keyof NonNullable<ComponentProps<typeof LoginPanel>['features']>;

export const features = {
  wallet: { prop: 'enableWalletConnect', title: 'Wallet' },
  apple: { prop: 'enableAppleLogin', title: 'Apple' },
  google: { prop: 'enableGoogleLogin', title: 'Google' },
  email: { prop: 'enableEmailLogin', title: 'Email' },
} as const satisfies Record<string, { prop: PanelFeature; title: string }>;
export type Feature = keyof typeof features;

/** The login panel with only these sign-in methods. All of them is the panel's default and needs no prop. */
export function panelSnippet(chosen: ReadonlySet<Feature>): string {
  const off = (Object.keys(features) as Feature[]).filter((feature) => !chosen.has(feature));
  if (off.length === 0) return '<LoginPanel title="Sign in to" />';
  const lines = off.map((feature) => `    ${features[feature].prop}: false,`);
  return ['<LoginPanel', '  title="Sign in to"', '  features={{', ...lines, '  }}', '/>'].join('\n');
}
