// First, before anything else may be requested: tokens leave the address of /auth/callback.
import './features/passport/callback.capture';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import 'virtual:theme.css';
import { configInPage } from './api/get.config';
import { readAccessToken } from './api/token.storage';
import { App } from './app/App';
import './app/global.css';
import { suppressRejections } from './app/rejections';
import { routes } from './app/routes';

suppressRejections();
if (__PORTAL_INSPECT__) void import('./inspect/machine.registry').then(({ openRegistry }) => openRegistry());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const portal = (
  <App config={configInPage()}>
    <RouterProvider router={createBrowserRouter(routes)} />
  </App>
);
// The page drawn ahead is the visitor's: who may be signed in gets one made anew.
if (root.hasChildNodes() && readAccessToken() === null) hydrateRoot(root, portal);
else {
  root.replaceChildren();
  createRoot(root).render(portal);
}
delete document.documentElement.dataset.returning;
