import { accent, brandPalette } from '@orange-id/contract/brand.palette';
import { referencePaths, type ReferenceWord } from '@orange-id/contract/reference.frame';
import { storageKeys } from '@orange-id/contract/storage.keys';

/** The page that shows the OpenAPI document: by itself, and in the frame of `/api`. */
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

const word = (type: ReferenceWord['type']) => JSON.stringify({ type } satisfies ReferenceWord);

/**
 * Starts Swagger UI in the visitor's colours and tells the page around it how that went. A file of its own, because the
 * content security policy allows no inline script; no outside validator is asked.
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

/** Swagger UI in the portal's font and colours; white on its own badges, buttons and links is hard to read. */
export const referenceStyles = `@font-face {
  font-family: 'Inter Variable';
  font-weight: 100 900;
  font-display: swap;
  src: url('/fonts/inter.woff2') format('woff2-variations');
}

:root {
  --text-font: 'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
}

body {
  margin: 0;
  background: #fff;
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

html:not(.dark-mode) .swagger-ui .btn.execute {
  background: #1d63b8;
  border-color: #1d63b8;
}

html:not(.dark-mode) .swagger-ui .btn.authorize {
  color: #15803d;
  border-color: currentcolor;
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
