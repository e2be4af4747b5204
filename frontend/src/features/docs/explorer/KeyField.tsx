import { apiKeyEnds } from '@orange-id/contract/api-key.rule';
import { useSelector } from '@xstate/react';
import { Flex, Input, Select } from 'antd';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { failureText } from '../../../api/failure.text';
import { useSavedKeys } from '../../../api/keys/saved.keys';
import { useAuth } from '../../../api/session/auth.context';
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

/** The option for a key that isn't in the list. No saved key has this id. */
const another = '';

const privacy = 'It’s sent to this portal only, and not stored.';

/** The key to call with: a select of saved keys for a signed-in user who has any, otherwise an input. */
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

/** Disabled, because the select of saved keys may take its place once they have loaded. */
const PendingKeyField = () => (
  <Field label="API key" help="Loading your saved keys...">
    {(control) => <Select {...control} loading disabled value="Loading..." />}
  </Field>
);

function SavedKeyField({ actor, problem }: KeyFieldProps) {
  const { data, error, isPending, isFetching, refetch } = useSavedKeys();
  const { chosen } = useSelector(actor, ({ context }) => context);
  useEffect(() => {
    if (data) actor.send({ type: 'keys.offer', keys: data });
  }, [actor, data]);

  if (isPending) return <PendingKeyField />;
  if (!data?.length)
    return (
      <TypedKeyField
        actor={actor}
        problem={problem}
        help={
          error ? (
            <Flex component="span" wrap gap="4px 8px" align="center">
              Failed to load your saved keys: {failureText(error)}
              <LightButton size="small" aria-disabled={isFetching} onClick={() => void refetch()}>
                Retry
              </LightButton>
            </Flex>
          ) : (
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
        help="Choose a saved key, or paste another, such as a project’s."
        error={chosen === null ? null : problem}
      >
        {(control) => (
          <Select<string>
            {...control}
            value={chosen ?? another}
            options={[
              ...data.map(({ id, name, key, replacedAt }) => ({
                value: id,
                // The old key of a rotation has the name of the new one.
                label: `${name} (${maskBetween(apiKeyEnds(key))})${replacedAt === null ? '' : ', replaced'}`,
              })),
              { value: another, label: 'Another key' },
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
