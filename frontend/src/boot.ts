import { replaceBlockedStorage } from './api/blocked.storage';
import { readAccessToken } from './api/token.storage';
import { readColorMode, showColorMode } from './app/color.mode';
import { followScrollbarWidth } from './app/scrollbar.width';
import { docsTabOf } from '@orange-id/contract/docs.tabs';
import { loadWaitingScripts } from './app/waiting.scripts';

// zod tries `new Function` at a page's first schema. The content security policy stops it and reports it each time.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

replaceBlockedStorage(window);
// Runs before the first paint, so that no page shows in the wrong colours and no signed-in user sees the prerendered
// landing page.
showColorMode(readColorMode());
const isReturning = readAccessToken() !== null;
if (isReturning) document.documentElement.dataset.returning = '';
// The prerendered documentation contains every tab; this one shows.
if (location.pathname === '/docs') document.documentElement.dataset.docsTab = docsTabOf(location.hash);
followScrollbarWidth();
loadWaitingScripts({ isReplaced: isReturning });
