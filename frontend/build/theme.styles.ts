import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs';
import { textOnAccent } from '@orange-id/contract/brand.palette';
import { ConfigProvider, theme, type ThemeConfig } from 'antd';
import { createRequire } from 'node:module';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { darkTheme, lightTheme } from '../src/app/theme.ts';

/** Loaded by `require`, because Node finds this file only through the package's CommonJS exports. */
const { iconStyles } = createRequire(import.meta.url)('@ant-design/icons/lib/renderUtils') as {
  iconStyles: string;
};

/** Registers the tokens of the surrounding theme, as any antd component does. */
function Tokens() {
  theme.useToken();
  return null;
}

/** antd's preset palettes, such as `--ant-volcano-3`, which the portal does not use. */
const isPreset =
  /^--ant-(?:blue|purple|cyan|green|magenta|pink|red|orange|yellow|volcano|geekblue|gold|lime)\b/;

/** The CSS declarations that antd generates for this theme: `--ant-color-text:#1c1917;…`. */
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

/**
 * `:root` limits these rules to the root element: antd sets the class on every element it renders, with the colours of
 * the chosen theme.
 */
const root = ':root.portal';

/**
 * The theme's tokens and the icon styles as a stylesheet, for everything rendered before antd is loaded. Without
 * scripts the system's colour mode applies; `data-theme` on the root element is the visitor's choice.
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
