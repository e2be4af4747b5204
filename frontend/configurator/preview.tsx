import './no.eval';
import { createRoot } from 'react-dom/client';
import { connectToPage } from './page.bridge';
import { PreviewPanel } from './PreviewPanel';
import './preview.css';

/** The live panel alone, as the landing page shows it in a frame. */
const root = createRoot(document.getElementById('root') as HTMLElement);
connectToPage((message) => {
  if (message.type !== 'preview') return;
  const { appearance, scheme } = message;
  document.documentElement.style.colorScheme = scheme;
  document.documentElement.dataset['scheme'] = scheme;
  root.render(<PreviewPanel look={appearance} scheme={scheme} state="choice" appName="Acme" />);
});
