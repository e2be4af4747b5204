import type { MeteredRouteId } from '@orange-id/contract/metered.paths';
import { Alert, Card, Flex, Skeleton } from 'antd';
import type { RefObject } from 'react';
import { failureText } from '../../../api/failure.text';
import { statusTone, statusText } from '../../../ui/call.text';
import { CodeBlock } from '../../../ui/CodeBlock';
import { LightButton } from '../../../ui/LightButton';
import { formatDuration } from '../../../ui/time.text';
import { RecordedCall } from './RecordedCall';
import { routeOf } from './explorer.fields';
import type { CallAnswer, ExplorerContext } from './explorer.types';
import statusTagStyles from '../../../ui/status-tag.module.css';
import styles from './explorer.module.css';

interface CallResultProps {
  ref: RefObject<HTMLElement | null>;
  context: ExplorerContext;
  isPending: boolean;
  onEndpoint: (endpoint: MeteredRouteId) => void;
}

/** The response to the last call, and sample responses of the endpoint. */
export function CallResult({ ref, context, isPending, onEndpoint }: CallResultProps) {
  const { endpoint, sent, answer, failure } = context;
  return (
    <div className={`stack ${styles.side}`}>
      <section ref={ref} aria-labelledby="explorer-response" className={styles.response}>
        <Card>
          <Flex wrap gap="4px 12px" align="center" justify="space-between">
            <h2 id="explorer-response">Response</h2>
            {answer && <Status status={answer.status} text={statusText(answer.status)} />}
            {failure !== null && <Status status={0} text="No response" />}
          </Flex>
          {isPending && (
            <div role="status" aria-label="Loading">
              <Skeleton active title={false} paragraph={{ rows: 4 }} />
            </div>
          )}
          {answer && sent && (
            <>
              <div>
                <Flex component="p" wrap gap="0 12px" className="note tabular">
                  <span>{formatDuration(answer.ms)} in total</span>
                  {answer.serverMs !== null && <span>{formatDuration(answer.serverMs)} at the server</span>}
                </Flex>
                <RecordedCall key={answer.ms} sent={sent} answer={answer} />
              </div>
              {isNodeDown(answer) && <NodeDown onEndpoint={onEndpoint} />}
              <Answer answer={answer} />
            </>
          )}
          {failure !== null && <p role="alert">{failureText(failure)}</p>}
          {!isPending && !answer && failure === null && (
            <p className="note">Test the API to see its status, headers and body here.</p>
          )}
        </Card>
      </section>
      <section aria-labelledby="explorer-samples" className={styles.samples}>
        <h2 id="explorer-samples">Sample responses</h2>
        {routeOf(endpoint).samples.map(({ statusCode, body }) => (
          <CodeBlock
            key={`${endpoint} ${statusCode}`}
            label={`sample response ${statusCode}`}
            language={`${statusCode} ${statusText(statusCode)}`}
            code={JSON.stringify(body, null, 2)}
          />
        ))}
      </section>
    </div>
  );
}

const isNodeDown = ({ status, body }: CallAnswer): boolean =>
  status === 503 && /"code": "chain\.unavailable"/.test(body);

/** Offers the call that needs no Ethereum node. */
const NodeDown = ({ onEndpoint }: Pick<CallResultProps, 'onEndpoint'>) => (
  <Alert
    type="warning"
    showIcon
    role="note"
    title="The portal can’t reach its Ethereum node"
    description={
      <Flex vertical gap={8} align="start">
        <span>
          Your key and the call are fine. <code>GET {routeOf('key').path}</code> works without the node.
        </span>
        <LightButton size="small" onClick={() => onEndpoint('key')}>
          Try it
        </LightButton>
      </Flex>
    }
  />
);

function Status({ status, text }: { status: number; text: string }) {
  return (
    <span className={`${statusTagStyles.root} tabular`} data-tone={status === 0 ? 'red' : statusTone(status)}>
      {status} {text}
    </span>
  );
}

function Answer({ answer: { headers, body, isJson, isCut } }: { answer: CallAnswer }) {
  return (
    <>
      {body === '' ? (
        <p className="note">The response has no body.</p>
      ) : (
        <CodeBlock label="response body" language={isJson ? 'JSON' : 'Text'} code={body} />
      )}
      {isCut && <p className="note">The response is longer. This is the start of it.</p>}
      <details className={styles.headers}>
        <summary>{`Headers (${headers.length})`}</summary>
        <dl>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}
