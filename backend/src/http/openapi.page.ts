import { accent, brandPalette, textOnAccent } from '@orange-id/contract/brand.palette';
import { referencePaths, type ReferenceWord } from '@orange-id/contract/reference.frame';
import { storageKeys } from '@orange-id/contract/storage.keys';

/** The page that shows the OpenAPI document: standalone, and in the frame of `/api`. */
export const referencePage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference · Orange ID</title>
    <link rel="icon" href="/favicon.svg" />
    <link rel="stylesheet" href="${referencePaths.page}/swagger-ui.css" />
    <link rel="stylesheet" href="${referencePaths.page}/portal.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${referencePaths.page}/swagger-ui-bundle.js"></script>
    <script src="${referencePaths.page}/start.js"></script>
  </body>
</html>
`;

const word = (type: 'reference.drawn' | 'reference.failed') =>
  JSON.stringify({ type } satisfies ReferenceWord);
const resized: ReferenceWord['type'] = 'reference.resized';

/**
 * Starts Swagger UI in the visitor's colours and reports its outcome and height to the parent page: in a frame the
 * parent page scrolls. A separate file, because the content security policy allows no inline script; uses no external
 * validator.
 */
export const referenceScript = `const root = document.getElementById('swagger-ui');
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
const isFramed = window.parent !== window;
const tell = (word) => {
  if (isFramed) window.parent.postMessage(word, window.location.origin);
};
const showColorMode = () => {
  const chosen = window.localStorage.getItem(${JSON.stringify(storageKeys.colorMode)});
  const isDark = chosen ? chosen === 'dark' : prefersDark.matches;
  document.documentElement.classList.toggle('dark-mode', isDark);
};
showColorMode();
prefersDark.addEventListener('change', showColorMode);
window.addEventListener('storage', showColorMode);

if (isFramed) {
  document.documentElement.dataset.framed = '';
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height > 0) tell({ type: ${JSON.stringify(resized)}, height });
  }).observe(document.body);
  // A dialog opens in the middle of what is in view, because the middle of the frame may be far below.
  const placeDialog = () => {
    const { top } = window.frameElement.getBoundingClientRect();
    const header = window.parent.getComputedStyle(window.frameElement).getPropertyValue('--header-height');
    const from = Math.max(0, (parseFloat(header) || 0) - top);
    const to = Math.min(window.innerHeight, window.parent.innerHeight - top);
    document.documentElement.style.setProperty('--dialog-middle', (from + to) / 2 + 'px');
  };
  window.addEventListener('click', placeDialog, true);
}

async function start() {
  const answer = await fetch(${JSON.stringify(referencePaths.document)});
  if (!answer.ok) throw new Error('status ' + answer.status);
  window.SwaggerUIBundle({
    spec: await answer.json(),
    domNode: root,
    // In a frame each opened call would be one more step for the browser's Back.
    deepLinking: !isFramed,
    validatorUrl: null,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    // Its themes write colours into the elements, too dark to read.
    syntaxHighlight: false,
    onComplete: () => tell(${word('reference.drawn')}),
  });
}

start().catch((error) => {
  root.setAttribute('role', 'alert');
  root.textContent = 'Failed to load the API reference (' + error.message + '). Reload the page to try again.';
  tell(${word('reference.failed')});
});
`;

const { light, dark } = brandPalette;

/** Colours that Swagger UI's style sheet sets in hundreds of rules, too specific for one rule to override. */
const replacements: Record<string, string> = {
  'font-family:sans-serif': 'font-family:var(--text-font)',
  'font-family:monospace': 'font-family:var(--code-font)',
  // The slate text and lines on light pages, and the blue links.
  '#3b4151': light.colorText,
  'rgba(59,65,81,.3)': light.colorBorder,
  '#4990e2': light.colorLink,
  // The blue-greys on dark pages, from background to text, and the blue links.
  '#080a0b': dark.colorBgBase,
  '#0d1014': dark.colorBgBase,
  '#1c2022': dark.colorBgContainer,
  '#202225': dark.colorBorderSecondary,
  '#2a2e30': dark.colorBorderSecondary,
  '#3b424d': dark.colorBorder,
  '#434b4f': dark.colorBorder,
  '#545d61': dark.colorBorder,
  '#6b757a': dark.colorTextTertiary,
  '#8c969a': dark.colorTextTertiary,
  '#b7bcbf': dark.colorTextSecondary,
  '#e4e6e6': dark.colorText,
  '#f0f1f1': dark.colorText,
  '#51a8ff': dark.colorLink,
};

/**
 * Swagger UI's style sheet with the portal's fonts, neutrals and links. Throws if a new version no longer uses one of
 * the replaced colours: it has others, which would not fit the page.
 */
export const inPortalLook = (css: string): string =>
  Object.entries(replacements).reduce((styled, [theirs, ours]) => {
    if (!styled.includes(theirs)) throw new Error(`Swagger UI's style sheet no longer contains ${theirs}`);
    return styled.replaceAll(theirs, ours);
  }, css);

/** The portal's additions to Swagger UI's styles; white on its own badges and buttons is hard to read. */
export const referenceStyles = `@font-face {
  font-family: 'Inter Variable';
  font-weight: 100 900;
  font-display: swap;
  src: url('/fonts/inter.woff2') format('woff2-variations');
}

@font-face {
  font-family: 'JetBrains Mono Variable';
  font-weight: 100 800;
  font-display: swap;
  src: url('/fonts/jetbrains-mono.woff2') format('woff2-variations');
}

:root {
  --code-font: 'JetBrains Mono Variable', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  --text-font: 'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
}

body {
  margin: 0;
  background: #fff;
}

/* As tall as its content, it has nothing to scroll but what is too wide. */
html[data-framed] {
  overflow-y: hidden;
}

html[data-framed] body {
  display: flow-root;
}

html[data-framed] .swagger-ui .dialog-ux .modal-ux {
  top: var(--dialog-middle, 50%);
}

.swagger-ui .info {
  margin: 24px 0 0;
}

.swagger-ui .info .title {
  font-size: 24px;
}

.swagger-ui .info .title small {
  display: none;
}

.swagger-ui .scheme-container {
  padding: 0 0 24px;
  background: none;
  box-shadow: none;
}

.swagger-ui .opblock-tag {
  font-size: 20px;
}

@media (max-width: 480px) {
  .swagger-ui .opblock-tag {
    flex-wrap: wrap;
  }

  .swagger-ui .opblock-tag > a {
    flex: 1;
  }

  .swagger-ui .opblock-tag > small {
    flex-basis: 100%;
    order: 1;
    padding: 0;
  }

  .swagger-ui .opblock .opblock-summary-method {
    min-width: 58px;
    padding: 4px 0;
    font-size: 12px;
  }
}

.swagger-ui code,
.swagger-ui pre {
  font-family: var(--code-font);
}

.swagger-ui .info .title,
html.dark-mode .swagger-ui .info .title,
.swagger-ui .renderedMarkdown code,
html.dark-mode .swagger-ui .renderedMarkdown code {
  color: inherit;
}

.swagger-ui .opblock {
  border-radius: 8px;
  box-shadow: none;
}

.swagger-ui .btn {
  border-radius: 6px;
  box-shadow: none;
}

.swagger-ui :focus-visible {
  outline: 2px solid ${accent};
  outline-offset: 2px;
}

html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method {
  background: #1d63b8;
}

html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method {
  background: #15803d;
}

html:not(.dark-mode) .swagger-ui .opblock-put .opblock-summary-method,
html:not(.dark-mode) .swagger-ui .opblock-patch .opblock-summary-method {
  background: #8a5300;
}

html:not(.dark-mode) .swagger-ui .opblock-delete .opblock-summary-method {
  background: ${light.colorError};
}

html .swagger-ui .opblock .btn.execute {
  color: ${textOnAccent};
  background: ${accent};
  border-color: ${accent};
}

html .swagger-ui .btn.authorize,
html.dark-mode .swagger-ui .scheme-container .btn.authorize {
  color: inherit;
  border-color: ${light.colorBorder};
}

html.dark-mode .swagger-ui .scheme-container .btn.authorize {
  border-color: ${dark.colorBorder};
}

html .swagger-ui .btn.authorize svg,
html.dark-mode .swagger-ui .scheme-container .btn.authorize svg {
  color: inherit;
  fill: currentcolor;
}

html:not(.dark-mode) .swagger-ui .btn.cancel {
  color: ${light.colorError};
  border-color: currentcolor;
}

html:not(.dark-mode) .swagger-ui .parameter__in,
html:not(.dark-mode) .swagger-ui .prop-format {
  color: ${light.colorTextSecondary};
}

html.dark-mode {
  color-scheme: dark;
}

html.dark-mode .swagger-ui .opblock .opblock-section-header .try-out__btn.cancel {
  color: #fca5a5;
  border-color: currentcolor;
}

html.dark-mode body {
  background: ${dark.colorBgContainer};
}
`;
