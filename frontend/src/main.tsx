// First: removes the tokens from the URL of /auth/callback before any request can name it.
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
import { nameFirstEntry } from './app/first.entry';
import { suppressRejections } from './app/rejections';
import { routes } from './app/routes';

suppressRejections();
nameFirstEntry(window.history);
if (__PORTAL_INSPECT__) void import('./inspect/machine.registry').then(({ openRegistry }) => openRegistry());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// The prerendered page is for signed-out visitors.
const isPrerendered = root.hasChildNodes() && readAccessToken() === null;
// With loader data, even if empty, the router keeps the position that the page has been scrolled to.
const routerOptions = isPrerendered ? { hydrationData: { loaderData: {} } } : {};
const portal = (
  <App config={configInPage()}>
    <RouterProvider router={createBrowserRouter(routes, routerOptions)} />
  </App>
);
if (isPrerendered) {
  // Hydrates in small steps, so that the page can scroll in between.
  startTransition(() => void hydrateRoot(root, portal));
} else {
  root.replaceChildren();
  createRoot(root).render(portal);
}
delete document.documentElement.dataset.returning;
