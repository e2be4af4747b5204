import { readAccessToken } from './api/token.storage';
import { readColorMode, showColorMode } from './app/color.mode';
import { followScrollbarWidth } from './app/scrollbar.width';
import { bringScripts } from './ui/page.ahead';

// zod tries `new Function` at the first schema of a page. The policy of our pages stops it and reports it each time, and
// reports are for what nobody expects.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// Runs before anything is drawn, so that no page shows in the wrong colours and nobody who is signed in sees the
// landing page that was drawn ahead. Without storage both are decided later.
let isReturning = false;
try {
  showColorMode(readColorMode());
  isReturning = readAccessToken() !== null;
  if (isReturning) document.documentElement.dataset.returning = '';
} catch (error) {
  console.warn('The stored choices cannot be read', error);
}
followScrollbarWidth();
bringScripts({ isReturning });
