// First, before anything else may be requested: tokens leave the address of /auth/callback.
import './features/passport/callback.capture';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import './app/global.css';
import { suppressRejections } from './app/rejections';

suppressRejections();
if (__PORTAL_INSPECT__) void import('./inspect/machine.registry').then(({ openRegistry }) => openRegistry());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(<App />);
