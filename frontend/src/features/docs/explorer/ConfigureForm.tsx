import { LoadingOutlined } from '@ant-design/icons';
import type { MeteredParameter } from '@orange-id/contract/metered.paths';
import { useSelector } from '@xstate/react';
import { Button, Flex, Input } from 'antd';
import { useEffect, useId, useRef } from 'react';
import { Field } from '../../../ui/Field';
import { KeyField } from './KeyField';
import { routeOf } from './explorer.fields';
import type { ExplorerActor } from './explorer.machine';
import { apiKeyOf, draftOf } from './explorer.selectors';
import styles from './explorer.module.css';

/** The key, the parameters and the body of a call, and the button that sends it. */
export function ConfigureForm({ actor }: { actor: ExplorerActor }) {
  const snapshot = useSelector(actor, (current) => current);
  const { context } = snapshot;
  const { parameters, bodyExample } = routeOf(context.endpoint);
  const draft = draftOf(context);
  const isPending = snapshot.hasTag('busy');
  const isAllowed = snapshot.can({ type: 'call.send' });
  const reason = apiKeyOf(context) === '' ? 'API key is required' : '';
  const reasonId = useId();
  const form = useRef<HTMLFormElement>(null);
  const test = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    const refused = actor.on('call.refused', () =>
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()),
    );
    return () => refused.unsubscribe();
  }, [actor]);
  useEffect(() => {
    // Browsers take the focus from a button that is disabled or removed.
    if (!isPending && document.activeElement === document.body) test.current?.focus();
  }, [isPending]);

  return (
    <form
      ref={form}
      className="stack"
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        actor.send({ type: 'call.send' });
      }}
    >
      <KeyField actor={actor} problem={context.problems['apiKey'] ?? null} />
      {parameters.map((parameter) => (
        <Field
          key={`${context.endpoint} ${parameter.name}`}
          label={labelOf(parameter)}
          help={parameter.description}
          error={context.problems[parameter.name] ?? null}
        >
          {(control) => (
            <Input
              {...control}
              className={styles.code}
              required={parameter.required}
              inputMode={parameter.type === 'integer' ? 'numeric' : 'text'}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              placeholder={parameter.example}
              value={draft.parameters[parameter.name] ?? ''}
              onChange={({ target }) =>
                actor.send({ type: 'parameter.type', name: parameter.name, text: target.value.trim() })
              }
            />
          )}
        </Field>
      ))}
      {bodyExample !== undefined && (
        <Field
          key={`${context.endpoint} body`}
          label="Body (JSON)"
          help="Starts with an example. Replace it with your own values."
          error={context.problems['body'] ?? null}
        >
          {(control) => (
            <Input.TextArea
              {...control}
              className={styles.code}
              required
              spellCheck={false}
              autoSize={{ minRows: 4, maxRows: 16 }}
              value={draft.body}
              onChange={({ target }) => actor.send({ type: 'body.type', text: target.value })}
            />
          )}
        </Field>
      )}
      <Flex wrap gap="8px 12px" align="center">
        <Button
          ref={test}
          type="primary"
          htmlType="submit"
          disabled={!isAllowed}
          aria-describedby={reasonId}
          icon={isPending && <LoadingOutlined aria-hidden />}
        >
          {isPending ? 'Testing...' : 'Test API'}
        </Button>
        {isPending && <Button onClick={() => actor.send({ type: 'call.cancel' })}>Cancel</Button>}
        <span id={reasonId} className="note">
          {isPending ? '' : reason}
        </span>
      </Flex>
    </form>
  );
}

const labelOf = ({ name, in: place, required }: MeteredParameter): string =>
  `${name} (${place === 'path' ? 'in the path' : place === 'header' ? 'header' : required ? 'required' : 'optional'})`;
