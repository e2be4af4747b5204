// First, before anything else may be requested: tokens leave the address of /auth/callback.
import './features/passport/callback.capture';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import 'virtual:theme.css';
import { configInPage } from './api/config/get.config';
import { readAccessToken } from './api/token.storage';
import { App } from './app/App';
import './app/global.css';
import { sayTookOver } from './ui/page.ahead';
import { nameFirstEntry } from './app/first.entry';
import { suppressRejections } from './app/rejections';
import { routes } from './app/routes';

suppressRejections();
nameFirstEntry(window.history);
if (__PORTAL_INSPECT__) void import('./inspect/machine.registry').then(({ openRegistry }) => openRegistry());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The page drawn ahead is the visitor's: who may be signed in gets one made anew.
const isDrawnAhead = root.hasChildNodes() && readAccessToken() === null;
// With data of the page, though it needs none, the router leaves the page where it has been scrolled to by now.
const ofThePage = isDrawnAhead ? { hydrationData: { loaderData: {} } } : {};
const portal = (
  <App config={configInPage()}>
    <RouterProvider router={createBrowserRouter(routes, ofThePage)} />
  </App>
);
if (isDrawnAhead) {
  // In small steps, so that it can be scrolled meanwhile.
  startTransition(() => void hydrateRoot(root, portal));
  sayTookOver('shell');
} else {
  root.replaceChildren();
  createRoot(root).render(portal);
}
delete document.documentElement.dataset.returning;
