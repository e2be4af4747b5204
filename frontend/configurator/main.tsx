import './no.eval';
import { StyleProvider } from '@ant-design/cssinjs';
import type { FromConfigurator } from '@orange-id/contract/configurator.protocol';
import { accent, brandPalette, textOnAccent } from '@orange-id/contract/brand.palette';
import { limits } from '@orange-id/contract/limits';
import { App, ConfigProvider, Skeleton, theme } from 'antd';
import { useSelector } from '@xstate/react';
import { StrictMode, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { createActor } from 'xstate';
import { Editor } from './Editor';
import { editorMachine } from './editor.machine';
import { connectToPage } from './page.bridge';
import './configurator.css';

type Scheme = 'light' | 'dark';

/** What the page says beside the project: its colour scheme, and whether the frame fills the screen. */
const page = { scheme: 'light' as Scheme, isFullScreen: false };
const listeners = new Set<() => void>();
let shown = { ...page };
const note = (change: Partial<typeof page>) => {
  shown = { ...shown, ...change };
  document.documentElement.style.colorScheme = shown.scheme;
  document.documentElement.dataset['scheme'] = shown.scheme;
  listeners.forEach((listener) => listener());
};
const usePage = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );

const uploads = new Map<number, { resolve(picture: string): void; reject(error: Error): void }>();
let uploadCount = 0;

const actor = createActor(
  editorMachine.provide({
    actions: {
      sendSave: (_, save) => bridge.send({ type: 'save', ...save }),
      noteDraft: (_, { look }) => bridge.send({ type: 'draft', appearance: look }),
    },
  }),
);
const bridge = connectToPage((message) => {
  switch (message.type) {
    case 'open':
      note({ scheme: message.scheme });
      return actor.send({ ...message, type: 'project.open' });
    case 'saved':
      return actor.send({ type: 'save.accept', versions: message.versions });
    case 'conflicted':
      return actor.send({ type: 'save.conflict', versions: message.versions });
    case 'refused':
      return actor.send({ type: 'save.refuse', message: message.message });
    case 'uploaded':
      return settle(message.id, ({ resolve }) => resolve(message.picture));
    case 'uploadRefused':
      return settle(message.id, ({ reject }) => reject(new Error(message.message)));
    case 'scheme':
      return note({ scheme: message.scheme });
    case 'fullScreen':
      return note({ isFullScreen: message.isOn });
  }
});
actor.start();

function settle(
  id: number,
  act: (waiting: { resolve(picture: string): void; reject(error: Error): void }) => void,
) {
  const waiting = uploads.get(id);
  uploads.delete(id);
  if (waiting) act(waiting);
}

async function upload(file: File): Promise<string> {
  if (file.size >= limits.avatarMaxBytes) throw new Error('Choose an image smaller than 1 MB.');
  const bytes = await file.arrayBuffer();
  uploadCount += 1;
  const id = uploadCount;
  return new Promise((resolve, reject) => {
    uploads.set(id, { resolve, reject });
    bridge.send({ type: 'upload', id, bytes, mediaType: file.type } satisfies FromConfigurator);
  });
}

function Root() {
  const { scheme, isFullScreen } = usePage();
  const isOpen = useSelector(actor, (snapshot) => !snapshot.matches('waiting'));
  const palette = brandPalette[scheme];
  return (
    <StyleProvider>
      <ConfigProvider
        wave={{ disabled: true }}
        button={{ autoInsertSpace: false }}
        theme={{
          algorithm: scheme === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
          token: {
            ...palette,
            colorPrimary: accent,
            fontFamily: "'Inter Variable', system-ui, sans-serif",
            borderRadius: 6,
          },
          components: {
            Segmented: scheme === 'dark' ? { trackBg: '#26221F' } : { trackBg: '#EFE9E2' },
            Slider: { trackBg: accent, trackHoverBg: accent, handleColor: accent },
            Button: { primaryColor: textOnAccent, primaryShadow: 'none', defaultShadow: 'none' },
          },
        }}
      >
        <App component={false}>
          <div className="root" data-scheme={scheme}>
            {isOpen ? (
              <Editor
                key={scheme}
                actor={actor}
                pageScheme={scheme}
                isFullScreen={isFullScreen}
                onFullScreen={(isOn) => bridge.send({ type: 'fullScreen', isOn })}
                upload={upload}
              />
            ) : (
              <Skeleton active className="loading" paragraph={{ rows: 10 }} />
            )}
          </div>
        </App>
      </ConfigProvider>
    </StyleProvider>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Root />
  </StrictMode>,
);
