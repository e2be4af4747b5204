import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import { useSelector } from '@xstate/react';
import { Flex, Input, Select } from 'antd';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { failureText } from '../../../api/failure.text';
import { useCallKeys, type CallKey } from '../../../api/keys/call.keys';
import { useAuth } from '../../../api/session/auth.context';
import { EndedText } from '../../../ui/EndedText';
import { Field } from '../../../ui/Field';
import { LightButton } from '../../../ui/LightButton';
import { maskBetween } from '../../../ui/mask.key';
import type { ExplorerActor } from './explorer.machine';
import styles from './explorer.module.css';

interface KeyFieldProps {
  actor: ExplorerActor;
  /** Why the key can't be sent. */
  problem: string | null;
}

/** The option for a key that isn't in the list. No key has this id. */
const another = '';

const privacy = 'It’s sent to this portal only, and not stored.';

/** The key to call with: a select of the signed-in user's keys if there are any, otherwise an input. */
export function KeyField(props: KeyFieldProps) {
  const { isAuthenticated, isLoading } = useAuth();
  if (isLoading) return <PendingKeyField />;
  if (isAuthenticated) return <SavedKeyField {...props} />;
  return (
    <TypedKeyField
      {...props}
      help={
        <>
          {privacy} <Link to="/login">Sign in</Link> to create a key or choose a saved one.
        </>
      }
    />
  );
}

/** Disabled, because the select of keys may take its place once they have loaded. */
const PendingKeyField = () => (
  <Field label="API key" help="Loading your keys...">
    {(control) => <Select {...control} loading disabled value="Loading..." />}
  </Field>
);

function SavedKeyField({ actor, problem }: KeyFieldProps) {
  const { keys, error, isPending, isFetching, refetch } = useCallKeys();
  const { chosen } = useSelector(actor, ({ context }) => context);
  useEffect(() => {
    if (!isPending) actor.send({ type: 'keys.offer', keys });
  }, [actor, keys, isPending]);

  if (isPending) return <PendingKeyField />;
  const failure = error && (
    <Flex component="span" wrap gap="4px 8px" align="center">
      Failed to load your keys: {failureText(error)}
      <LightButton size="small" aria-disabled={isFetching} onClick={() => void refetch()}>
        Retry
      </LightButton>
    </Flex>
  );
  if (keys.length === 0)
    return (
      <TypedKeyField
        actor={actor}
        problem={problem}
        help={
          failure ?? (
            <>
              {privacy} To choose a key by name, create one in <Link to="/keys">API Keys</Link>.
            </>
          )
        }
      />
    );
  return (
    <>
      <Field
        label="API key"
        help={failure ?? 'Choose one of your keys, or paste another.'}
        error={chosen === null ? null : problem}
      >
        {(control) => (
          <Select<string>
            {...control}
            value={chosen ?? another}
            labelRender={({ label }) => <EndedText text={String(label)} />}
            options={[
              ...groupsOf(keys),
              { label: 'Other', options: [{ value: another, label: 'Another key' }] },
            ]}
            onChange={(id) => actor.send({ type: 'key.choose', id: id === another ? null : id })}
          />
        )}
      </Field>
      {chosen === null && (
        <TypedKeyField actor={actor} problem={problem} label="Another API key" help={privacy} />
      )}
    </>
  );
}

const groupTitles: Record<CallKey['group'], string> = { saved: 'API Keys', project: 'Projects' };

const groupsOf = (keys: readonly CallKey[]) =>
  (['saved', 'project'] as const)
    .map((group) => ({
      label: groupTitles[group],
      options: keys
        .filter((key) => key.group === group)
        .map(({ id, name, key, isReplaced }) => ({
          value: id,
          // The old key of a rotation has the name of the new one.
          label: `${name} (${maskBetween(apiKeyEnds(key))})${isReplaced ? ', replaced' : ''}`,
        })),
    }))
    .filter(({ options }) => options.length > 0);

interface TypedKeyFieldProps extends KeyFieldProps {
  label?: string;
  help: ReactNode;
}

function TypedKeyField({ actor, problem, label = 'API key', help }: TypedKeyFieldProps) {
  const { typed } = useSelector(actor, ({ context }) => context);
  return (
    <Field label={label} help={help} error={problem}>
      {(control) => (
        <Input
          {...control}
          type="password"
          className={styles.code}
          required
          spellCheck={false}
          autoComplete="off"
          placeholder="oid_..."
          value={typed}
          onChange={({ target }) => actor.send({ type: 'key.type', text: target.value })}
        />
      )}
    </Field>
  );
}
