import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { profileGaps } from '@orange-id/contract/profile.rule';
import { useSelector } from '@xstate/react';
import { Button, Card, Input, type InputRef } from 'antd';
import { useRef } from 'react';
import { Field } from '../../ui/Field';
import { creationFailure, isNameTaken } from './creation.failure';
import { ProfileHint } from './ProfileHint';
import type { WizardActor } from './wizard.selectors';
import { nameSentences } from './wizard.sentences';

/** Step 1: the project's name. */
export function NameStep({ actor, user }: { actor: WizardActor; user: IdentityUser }) {
  const { projectName, nameRefusal, failure, isProfileNeeded } = useSelector(actor, ({ context }) => context);
  const gaps = isProfileNeeded ? profileGaps(user) : [];
  const input = useRef<InputRef>(null);
  const error = nameRefusal ? nameSentences[nameRefusal] : isNameTaken(failure) && creationFailure(failure);

  const submit = () => {
    actor.send({ type: 'name.submit', profile: user });
    if (actor.getSnapshot().context.nameRefusal) input.current?.focus();
  };

  return (
    <Card>
      <form
        className="wizard-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Project name"
          help="What you will find it by in My Projects. One project per name."
          error={error || null}
        >
          {(control) => (
            <Input
              {...control}
              ref={input}
              autoFocus
              autoComplete="off"
              placeholder="My game"
              value={projectName}
              onChange={(event) => actor.send({ type: 'name.change', text: event.target.value })}
            />
          )}
        </Field>
        <ProfileHint gaps={gaps} />
        <div className="wizard-actions">
          <Button type="primary" htmlType="submit">
            Create New
          </Button>
        </div>
      </form>
    </Card>
  );
}
