import { afterEach, expect, test } from '@jest/globals';
import { defaultAppearance, type Appearance } from '@orange-id/contract/appearance';
import { appearancePresets } from '@orange-id/contract/appearance.presets';
import { contrastOf } from '@orange-id/contract/contrast.rule';
import { cleanup, render, screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { json, network } from '../src/testing/network';
import { tokensOf } from './appearance.look';
import { BedrockPassportProvider } from './BedrockPassportProvider';
import { LoginPanel } from './LoginPanel';
import type { LoginPanelProps } from './login.props';

const code = 'orange-abcdefghij';
const service = 'https://id.example.com';

function openPanel(saved: Appearance | null, props: LoginPanelProps = {}): void {
  network.use(
    http.get(`${service}/api/v1/auth/widget`, () => json({ text: '', url: '' })),
    http.get(`${service}/api/v1/auth/appearance`, ({ request }) => {
      expect(request.headers.get('ocp-apim-subscription-key')).toBe(code);
      return saved === null ? HttpResponse.error() : json({ version: 1, appearance: saved, appName: 'Shop' });
    }),
  );
  render(
    <BedrockPassportProvider baseUrl={service} authCallbackUrl="http://localhost/back" subscriptionKey={code}>
      <LoginPanel {...props} />
    </BedrockPassportProvider>,
  );
}
const buttons = async (): Promise<(string | null)[]> => {
  const panel = await screen.findByRole('region');
  return within(panel)
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
};

afterEach(() => localStorage.clear());

const look: Appearance = {
  ...defaultAppearance,
  mode: 'dark',
  logo: { light: '/pictures/0123456789abcdef0123456789abcdef.webp', dark: '', alt: 'Acme' },
  methods: ['wallet', 'email'],
  layout: 'page',
  direction: 'rtl',
  font: 'inter',
  texts: {
    ...defaultAppearance.texts,
    title: 'Welcome to',
    walletButton: 'Use a wallet',
    privacyUrl: 'https://example.com/privacy',
  },
};

test('a project’s saved look decides texts, logo, methods, their order, scheme, layout and direction', async () => {
  openPanel(look);
  expect(await screen.findByRole('heading', { name: 'Welcome to' })).toBeVisible();
  expect(screen.getByRole('img', { name: 'Acme' })).toHaveAttribute('src', `${service}${look.logo.light}`);
  expect((await buttons()).slice(0, 2)).toEqual(['Use a wallet', 'Continue with email']);
  const root = screen.getByRole('region').closest('.oid-login') as HTMLElement;
  expect([root.dir, root.dataset['appearance']]).toEqual(['rtl', 'dark']);
  expect(root).toHaveClass('oid-login-page');
  expect(screen.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute(
    'href',
    'https://example.com/privacy',
  );
  expect(
    document.head.querySelector('link[href="https://id.example.com/widget/fonts/inter.css"]'),
  ).not.toBeNull();
});

test('what the page sets itself wins over the saved look', async () => {
  const own = { methods: ['apple' as const], texts: { ...look.texts, title: 'Join us at' } };
  openPanel({ ...look, logo: defaultAppearance.logo }, { appearance: own });
  expect(await screen.findByRole('heading', { name: 'Join us at Shop' })).toBeVisible();
  expect(await buttons()).toEqual(['Continue with Apple']);
});

test('the last known look is shown at once, and when the service doesn’t answer', async () => {
  openPanel(look);
  await screen.findByRole('heading', { name: 'Welcome to' });
  cleanup();
  openPanel(null);
  expect(screen.getByRole('heading', { name: 'Welcome to' })).toBeVisible();
});

test('a first visit without an answer shows the default look', async () => {
  openPanel(null);
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect((await buttons())[0]).toBe('Continue with Google');
});

test.each(
  appearancePresets.flatMap(({ id, appearance }) =>
    (['light', 'dark'] as const).map((scheme) => [id, scheme, appearance] as const),
  ),
)('every text of the preset %s, %s, is readable', (_id, scheme, appearance) => {
  const tokens = tokensOf(appearance, scheme);
  for (const name of ['colorText', 'colorTextSecondary', 'colorLink', 'colorError'] as const) {
    expect([name, contrastOf(tokens[name] as string, tokens.colorBgContainer as string) >= 4.5]).toEqual([
      name,
      true,
    ]);
  }
});

test('two panels on one page each keep their own look', () => {
  for (const accent of ['#0B63CE', '#B3245A']) {
    const { light, dark } = defaultAppearance.colours;
    openPanel(defaultAppearance, {
      appearance: { mode: 'light', colours: { light: { ...light, accent }, dark } },
    });
  }
  // jsdom computes no custom properties.
  const styles = [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join('');
  const accentsOf = ({ className }: Element) => {
    const theme = /oid-theme\S+/.exec(className)?.[0];
    const rules = styles.matchAll(new RegExp(`\\.${theme}\\{[^}]*--oid-color-primary:([^;]+)`, 'g'));
    return [...rules].map(([, accent]) => accent);
  };
  expect([...document.querySelectorAll('.oid-login')].map(accentsOf)).toEqual([['#0b63ce'], ['#b3245a']]);
});
