import { defaultAppearance, type Appearance, type AppearanceFont } from '@orange-id/contract/appearance';
import { fontPathOf, legalParts } from '@orange-id/contract/appearance.derived';
import { useEffect } from 'react';
import { webAddress } from './identity.addresses';
import { allFeatures, type LoginFeatures, type LoginPanelProps } from './login.props';

/** antd needs a direction; `auto` takes that of the page. */
export const directionOf = ({ direction }: Appearance): 'ltr' | 'rtl' =>
  direction === 'auto'
    ? getComputedStyle(document.documentElement).direction === 'rtl'
      ? 'rtl'
      : 'ltr'
    : direction;

const featureOf = {
  google: 'enableGoogleLogin',
  apple: 'enableAppleLogin',
  email: 'enableEmailLogin',
  wallet: 'enableWalletConnect',
} as const satisfies Record<Appearance['methods'][number], keyof LoginFeatures>;

/** The panel's properties: what the page sets itself, and else what the look says. */
export function withLook(props: LoginPanelProps, look: Appearance, logo: string | null): LoginPanelProps {
  const shown = Object.fromEntries(
    Object.entries(featureOf).map(([method, feature]) => [
      feature,
      (props.features?.[feature] ?? allFeatures[feature]) && look.methods.includes(method as never),
    ]),
  );
  return {
    ...props,
    title: props.title ?? look.texts.title,
    // A button without a text would have no name.
    walletButtonText:
      props.walletButtonText ?? (look.texts.walletButton || defaultAppearance.texts.walletButton),
    separatorText: props.separatorText ?? look.texts.separator,
    logo: props.logo ?? logo ?? undefined,
    logoAlt: props.logoAlt ?? (look.logo.alt || undefined),
    features: shown,
  };
}

/** Loads a self-hosted font once per page; its files are at the service. */
export function useFont(font: AppearanceFont, baseUrl: string): void {
  useEffect(() => {
    const path = fontPathOf(font);
    if (path === null) return;
    const href = `${baseUrl}${path}`;
    if (document.head.querySelector(`link[href="${CSS.escape(href)}"]`)) return;
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    document.head.append(link);
  }, [font, baseUrl]);
}

/** Links to the project's terms and privacy policy, if it has any. */
export function LegalLinks({ termsUrl, privacyUrl }: Pick<Appearance['texts'], 'termsUrl' | 'privacyUrl'>) {
  const parts = legalParts(webAddress(termsUrl), webAddress(privacyUrl));
  if (parts.length === 0) return null;
  return (
    <p className="oid-login-legal">
      {parts.map(([text, href]) =>
        href === undefined ? (
          <span key={text}>{text}</span>
        ) : (
          <a key={text} href={href} target="_blank" rel="noopener noreferrer">
            {text}
          </a>
        ),
      )}
    </p>
  );
}
