import type { FromConfigurator } from '@orange-id/contract/configurator.protocol';
import { configuratorPath } from '@orange-id/contract/configurator.protocol';
import type { Project } from '@orange-id/contract/projects.schema';
import { useActorRef, useSelector } from '@xstate/react';
import { Skeleton } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { isComposing } from '@orange-id/contract/typed.key';
import { getAppearance, putAppearance, uploadAppearancePicture } from '../../api/appearance/appearance.calls';
import { connectToFrame, type FrameConnection } from '../../api/appearance/frame.connection';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { inspected } from '../../inspect/machine.inspect';
import { LoadFailure } from '../../ui/LoadFailure';
import { configuratorFrameMachine } from './configurator.frame.machine';
import { readDraft, writeDraft } from './draft.storage';
import styles from './customisation.module.css';

interface ConfiguratorFrameProps {
  project: Project;
  /** The address of a hosted configurator; `null` for our own. */
  hosted: string | null;
  onUnsaved(isUnsaved: boolean): void;
}

const schemeOfPage = (): 'light' | 'dark' =>
  getComputedStyle(document.documentElement).colorScheme.includes('dark') ? 'dark' : 'light';

const reasonOf = (error: unknown): string =>
  error instanceof HttpError && error.serverMessage !== undefined
    ? error.serverMessage
    : failureText(error as Error);

/** The configurator in its frame. This page has the access token: it loads, saves and uploads for the frame. */
export function ConfiguratorFrame({ project, hosted, onUnsaved }: ConfiguratorFrameProps) {
  const actor = useActorRef(configuratorFrameMachine, inspected);
  const isFilling = useSelector(actor, (snapshot) => snapshot.matches({ screen: 'filling' }));
  const connection = useSelector(actor, ({ value }) => value.connection);
  const frame = useRef<HTMLIFrameElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const channel = useRef<FrameConnection>(null);
  const [attempt, setAttempt] = useState(0);
  const { code, projectName } = project;

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    let isOver = false;
    const history = getAppearance(code);
    history.catch(() => actor.send({ type: 'frame.fail' }));
    const connected = connectToFrame(
      element,
      hosted && new URL(hosted).origin,
      (message) => void answer(message),
    );
    channel.current = connected;
    element.src = hosted ?? configuratorPath;

    async function answer(message: FromConfigurator): Promise<void> {
      switch (message.type) {
        case 'ready': {
          connected.send({ type: 'scheme', scheme: schemeOfPage() });
          actor.send({ type: 'frame.answer' });
          const { versions } = await history;
          if (isOver) return;
          const draft = readDraft(code);
          onUnsaved(draft !== null);
          return connected.send({
            type: 'open',
            project: { code, name: projectName },
            versions,
            draft,
            scheme: schemeOfPage(),
          });
        }
        case 'draft':
          writeDraft(code, message.appearance);
          return onUnsaved(message.appearance !== null);
        case 'save': {
          const { type: _type, ...save } = message;
          try {
            await putAppearance(code, save);
            return connected.send({ type: 'saved', ...(await getAppearance(code)) });
          } catch (error) {
            const isConflict = error instanceof HttpError && error.code === 'appearance.changed';
            const newer = isConflict ? await getAppearance(code).catch(() => null) : null;
            return connected.send(
              newer ? { type: 'conflicted', ...newer } : { type: 'refused', message: reasonOf(error) },
            );
          }
        }
        case 'upload':
          try {
            const picture = await uploadAppearancePicture(
              code,
              new Blob([message.bytes], { type: message.mediaType }),
            );
            return connected.send({ type: 'uploaded', id: message.id, picture });
          } catch (error) {
            return connected.send({ type: 'uploadRefused', id: message.id, message: reasonOf(error) });
          }
        case 'fullScreen':
          return actor.send({ type: message.isOn ? 'screen.fill' : 'screen.leave' });
      }
    }

    const observer = new MutationObserver(() => connected.send({ type: 'scheme', scheme: schemeOfPage() }));
    observer.observe(document.documentElement, { attributes: true });
    return () => {
      isOver = true;
      observer.disconnect();
      connected.close();
    };
  }, [actor, attempt, code, projectName, hosted, onUnsaved]);

  useEffect(() => {
    channel.current?.send({ type: 'fullScreen', isOn: isFilling });
    if (!isFilling) {
      if (document.fullscreenElement) void document.exitFullscreen();
      return undefined;
    }
    // Browsers without the API, or that refuse it, show the frame over the whole window.
    box.current?.requestFullscreen?.().catch(() => undefined);
    const leave = () => actor.send({ type: 'screen.leave' });
    const onChange = () => document.fullscreenElement === null && leave();
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && !isComposing(event) && leave();
    document.addEventListener('fullscreenchange', onChange);
    window.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      window.removeEventListener('keydown', onKey);
    };
  }, [actor, isFilling]);

  if (connection === 'failed') {
    return (
      <LoadFailure
        title="Failed to load the configurator"
        reason="It didn’t answer. Check your connection and try again."
        onRetry={() => {
          actor.send({ type: 'frame.retry' });
          setAttempt((count) => count + 1);
        }}
      />
    );
  }
  return (
    <div
      ref={box}
      className={isFilling ? `${styles.box} ${styles.filling}` : styles.box}
      data-machine={configuratorFrameMachine.id}
      data-state={`connection.${connection} screen.${isFilling ? 'filling' : 'inPage'}`}
    >
      {connection === 'loading' && (
        <div className={styles.loading} role="status" aria-label="Loading">
          <Skeleton active paragraph={{ rows: 10 }} />
        </div>
      )}
      <iframe
        key={attempt}
        ref={frame}
        // Until its hello it may be blank, or the browser's error page.
        style={connection === 'loading' ? { visibility: 'hidden' } : undefined}
        className={styles.frame}
        title="Widget configurator"
        sandbox={
          hosted === null
            ? 'allow-scripts allow-downloads'
            : 'allow-scripts allow-same-origin allow-forms allow-downloads'
        }
        allow="fullscreen"
      />
    </div>
  );
}
