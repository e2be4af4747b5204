import { ExportOutlined } from '@ant-design/icons';
import { referencePaths, referenceWord } from '@orange-id/contract/reference.frame';
import { useActorRef, useSelector } from '@xstate/react';
import { Button, Skeleton } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useConfig } from '../../api/config/config.context';
import { inspected } from '../../inspect/machine.inspect';
import { LoadFailure } from '../../ui/LoadFailure';
import { PageHead } from '../../ui/PageHead';
import { referenceFrameMachine } from './reference.frame.machine';
import styles from './reference.module.css';

/** `/api`: the portal's API reference, in a frame that can send requests. */
export function ApiReferencePage() {
  const actor = useActorRef(referenceFrameMachine, inspected);
  const state = useSelector(actor, ({ value }) => value);
  const { apiReference } = useConfig().links;
  const isOwn = apiReference === referencePaths.page;
  const frame = useRef<HTMLIFrameElement>(null);
  /** The height of the frame's content in px; until it is reported, the style sheet sets the height. */
  const [height, setHeight] = useState<number>();

  useEffect(() => {
    const listen = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== window.location.origin) return;
      const word = referenceWord.safeParse(data);
      if (!word.success) return;
      if (word.data.type === 'reference.resized') setHeight(word.data.height);
      else actor.send({ type: word.data.type });
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [actor]);

  // An error page of the browser or the server sends no message. Neither does another site, whose page can't be read.
  const onLoad = () => {
    if (!isOwn) actor.send({ type: 'reference.drawn' });
    else if (!frame.current?.contentDocument?.getElementById('swagger-ui'))
      actor.send({ type: 'reference.failed' });
  };

  return (
    <div className={styles.page} data-machine="referenceFrame" data-state={state}>
      <PageHead
        title="API"
        help={
          isOwn && (
            <>
              Every endpoint of the portal. Requests you send from this page are real. To send a call that
              needs an API key, choose Authorize and paste a key from <Link to="/projects">My Projects</Link>{' '}
              or <Link to="/keys">API Keys</Link>.
            </>
          )
        }
        action={
          <>
            <Button href={referencePaths.document} download="openapi.json">
              Download OpenAPI
            </Button>
            <Button
              href={apiReference}
              target="_blank"
              rel="noopener"
              icon={<ExportOutlined aria-hidden />}
              iconPlacement="end"
            >
              Open in new tab
            </Button>
          </>
        }
      />
      {state === 'failed' ? (
        <LoadFailure
          title="Failed to load the API reference"
          reason="Check your connection and try again."
          onRetry={() => actor.send({ type: 'reference.retry' })}
        />
      ) : (
        <div className={styles.root}>
          {state === 'loading' && (
            <div className={styles.loading} role="status" aria-label="Loading">
              <Skeleton active paragraph={{ rows: 10 }} />
            </div>
          )}
          <iframe
            ref={frame}
            className={styles.frame}
            style={{ height }}
            title="API reference"
            // `allow-same-origin` leaves each page its own origin; another site's is never the portal's.
            sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads"
            src={apiReference}
            onLoad={onLoad}
          />
        </div>
      )}
    </div>
  );
}
