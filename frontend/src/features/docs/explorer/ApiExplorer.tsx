import type { MeteredRouteId } from '@orange-id/contract/metered.paths';
import { useActorRef, useSelector } from '@xstate/react';
import { Card, Select, Tabs } from 'antd';
import { useEffect, useRef } from 'react';
import { fromPromise } from 'xstate';
import { failureText } from '../../../api/failure.text';
import { inspected } from '../../../inspect/machine.inspect';
import { statusText } from '../../../ui/call.text';
import { Field } from '../../../ui/Field';
import { useToast, type ToastMessage } from '../../../ui/toast';
import type { ExplorerProps } from '../DocsPage';
import { CallResult } from './CallResult';
import { CodeExamples } from './CodeExamples';
import { ConfigureForm } from './ConfigureForm';
import { endpointGroups, routeOf } from './explorer.fields';
import { explorerMachine } from './explorer.machine';
import { chosenOf, draftOf } from './explorer.selectors';
import type { CallAnswer, ExplorerNotice, SentCall } from './explorer.types';
import { sendCall } from './send.call';
import styles from './explorer.module.css';

const logic = explorerMachine.provide({
  actors: {
    sendCall: fromPromise<CallAnswer, SentCall>(({ input, signal }) => sendCall(input, signal)),
  },
});

const options = endpointGroups.map(({ label, ids }) => ({
  label,
  options: ids.map((id) => ({ value: id, label: routeOf(id).title })),
}));

/** The toast for an event of the machine; problems are shown at their fields instead. */
function noticeToast(notice: ExplorerNotice): ToastMessage | null {
  switch (notice.type) {
    case 'call.refused':
      return null;
    case 'call.failed':
      return { tone: 'error', title: 'Request failed', description: failureText(notice.error) };
    case 'call.answered': {
      const { status } = notice.answer;
      if (status < 400) return { tone: 'success', title: 'Request successful' };
      return { tone: 'error', title: 'Request failed', description: `${status} ${statusText(status)}` };
    }
  }
}

/** Calls an endpoint of this portal with the developer's own key, and shows the code that makes the same call. */
export function ApiExplorer({ endpoint, onEndpoint, onKey }: ExplorerProps) {
  const actor = useActorRef(logic, { ...inspected, input: { endpoint } });
  const snapshot = useSelector(actor, (current) => current);
  const { context } = snapshot;
  const route = routeOf(context.endpoint);
  const showToast = useToast();
  const result = useRef<HTMLElement>(null);

  useEffect(() => actor.send({ type: 'endpoint.choose', endpoint }), [actor, endpoint]);
  useEffect(() => onKey(context.chosen), [context.chosen, onKey]);
  useEffect(() => {
    const subscriptions = [
      actor.on('*', (notice) => {
        const toast = noticeToast(notice);
        if (toast) showToast(toast);
      }),
      // On a phone the response is below the form.
      ...(['call.answered', 'call.failed'] as const).map((name) =>
        actor.on(name, () =>
          requestAnimationFrame(() => result.current?.scrollIntoView({ block: 'nearest' })),
        ),
      ),
    ];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [actor, showToast]);

  return (
    <div className={styles.root} data-machine="explorer" data-state={snapshot.value}>
      <Card className={styles.request}>
        <Field
          label="Endpoint"
          help={
            <span className={styles.about}>
              <Endpoint id={context.endpoint} /> <span>{route.description}</span>
            </span>
          }
        >
          {({ id, 'aria-describedby': describedBy }) => (
            <Select<MeteredRouteId>
              id={id}
              aria-describedby={describedBy}
              value={context.endpoint}
              options={options}
              virtual={false}
              listHeight={360}
              onChange={onEndpoint}
              optionRender={({ value, label }) => (
                <div className={styles.option}>
                  {label}
                  <Endpoint id={value as MeteredRouteId} />
                </div>
              )}
            />
          )}
        </Field>
        <Tabs
          activeKey={context.tab}
          onChange={(tab) => actor.send({ type: 'tab.choose', tab: tab as typeof context.tab })}
          items={[
            { key: 'configure', label: 'Configure', children: <ConfigureForm actor={actor} /> },
            {
              key: 'code',
              label: 'Code Examples',
              children: (
                <CodeExamples
                  endpoint={context.endpoint}
                  draft={draftOf(context)}
                  chosenKey={chosenOf(context)?.key}
                />
              ),
            },
          ]}
        />
      </Card>
      <CallResult
        ref={result}
        context={context}
        isPending={snapshot.hasTag('busy')}
        onEndpoint={onEndpoint}
      />
    </div>
  );
}

/** The method and the path of an endpoint. */
function Endpoint({ id }: { id: MeteredRouteId }) {
  const { method, path } = routeOf(id);
  return (
    <code className={styles.endpoint}>
      <span className={styles.method}>{method}</span> {path}
    </code>
  );
}
