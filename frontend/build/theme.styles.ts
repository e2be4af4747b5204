import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs';
import { textOnAccent } from '@orange-id/contract/brand.palette';
import { ConfigProvider, theme, type ThemeConfig } from 'antd';
import { createRequire } from 'node:module';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { darkTheme, lightTheme } from '../src/app/theme.ts';

/** Node finds this file by the package's CommonJS exports alone. */
const { iconStyles } = createRequire(import.meta.url)('@ant-design/icons/lib/renderUtils') as {
  iconStyles: string;
};

/** Registers the tokens of the theme around it, as any component of antd does. */
function Tokens() {
  theme.useToken();
  return null;
}

/** antd's own palettes, `--ant-volcano-3`: nothing of ours is drawn in them. */
const isPreset =
  /^--ant-(?:blue|purple|cyan|green|magenta|pink|red|orange|yellow|volcano|geekblue|gold|lime)\b/;

/** The declarations that antd itself writes for this theme: `--ant-color-text:#1c1917;…`. */
function declarationsOf(config: ThemeConfig): string[] {
  const cache = createCache();
  renderToString(
    createElement(
      StyleProvider,
      { cache },
      createElement(ConfigProvider, { theme: config }, createElement(Tokens)),
    ),
  );
  const css = extractStyle(cache, { plain: true, types: 'token' });
  const declarations = /\.portal\{([^}]+)\}/.exec(css)?.[1];
  if (!declarations) throw new Error(`antd wrote no tokens for the class 'portal': ${css.slice(0, 200)}`);
  return declarations.split(';').filter((declaration) => declaration !== '' && !isPreset.test(declaration));
}

/** Not the class alone: antd sets it on every element it draws, and gives it the colours of the theme chosen there. */
const root = ':root.portal';

/**
 * The theme's tokens and what icons need as a style sheet, for what is drawn before antd is loaded. Without a script the system's colours
 * hold; `data-theme` on the root element is the visitor's choice.
 */
export function themeStyles(): string {
  const light = [...declarationsOf(lightTheme), `--portal-text-on-accent:${textOnAccent}`];
  const known = new Set(light);
  const dark = declarationsOf(darkTheme)
    .filter((declaration) => !known.has(declaration))
    .join(';');
  return [
    `${root}{${light.join(';')}}`,
    `${root}[data-theme='dark']{${dark}}`,
    `@media (prefers-color-scheme:dark){${root}:not([data-theme]){${dark}}}`,
    iconStyles,
  ].join('\n');
}
