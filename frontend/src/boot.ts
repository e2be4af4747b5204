import { readAccessToken } from './api/token.storage';
import { readColorMode } from './app/color.mode';

// Runs before anything is drawn, so that no page shows in the wrong colours and nobody who is signed in sees the
// landing page that was drawn ahead. Without storage both are decided later.
try {
  document.documentElement.dataset.theme = readColorMode();
  if (readAccessToken() !== null) document.documentElement.dataset.returning = '';
} catch (error) {
  console.warn('The stored choices cannot be read', error);
}
