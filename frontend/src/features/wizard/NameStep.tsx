import { LoadingOutlined } from '@ant-design/icons';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { profileFields } from '@orange-id/contract/profile.fields';
import { profileGaps, type ProfileGap } from '@orange-id/contract/profile.rule';
import { useSelector } from '@xstate/react';
import { Alert, Button, Card, Flex, Input, type InputRef } from 'antd';
import { useEffect, useEffectEvent, useRef } from 'react';
import { failureText } from '../../api/failure.text';
import { useCurrentProjects } from '../../api/projects/get.projects';
import { Field } from '../../ui/Field';
import { projectNameSentences } from '../../ui/project.name.text';
import { creationFailure, isNameTaken } from './creation.failure';
import type { WizardActor } from './wizard.selectors';
import { profileFailureSentence, profileSentence } from './wizard.text';
import type { WizardContext } from './wizard.types';

const helps: Record<ProfileGap, string> = {
  displayName: 'Shown in this portal. You can change it later in Settings.',
  email: 'For messages about your account. You’ll need to confirm it.',
};

/** The error under a profile field; `null` if there is none. */
const partErrorIn = ({ profileRefusals, profileFailure }: WizardContext, part: ProfileGap): string | null => {
  const refusal = profileRefusals[part];
  return refusal ? profileSentence(part, refusal) : profileFailureSentence(part, profileFailure);
};

/** Step 1: the project's name, and the profile fields that a project requires and the user hasn't filled. */
export function NameStep({ actor, user }: { actor: WizardActor; user: IdentityUser }) {
  const snapshot = useSelector(actor, (current) => current);
  const { projectName, nameRefusal, failure, profileTexts, profileFailure } = snapshot.context;
  const { data: projects } = useCurrentProjects();
  const isSaving = snapshot.hasTag('busy');
  const gaps = (['displayName', 'email'] as const).filter((part) => profileGaps(user).includes(part));
  const nameInput = useRef<InputRef>(null);
  const partInputs = useRef<Partial<Record<ProfileGap, InputRef | null>>>({});
  const nameError = nameRefusal
    ? projectNameSentences[nameRefusal]
    : isNameTaken(failure) && creationFailure(failure);
  const partError = (part: ProfileGap): string | null => partErrorIn(snapshot.context, part);
  const isUnexplained = profileFailure !== null && gaps.every((part) => partError(part) === null);

  // Never called on typing: typing clears a field's error, so the focus would jump to the next invalid field.
  const focusFirstError = () => {
    const { context } = actor.getSnapshot();
    if (context.nameRefusal) nameInput.current?.focus();
    else {
      const wrong =
        gaps.find((part) => partErrorIn(context, part) !== null) ??
        (context.profileFailure === null ? undefined : gaps[0]);
      if (wrong) partInputs.current[wrong]?.focus();
    }
  };
  const focusOnArrival = useEffectEvent(focusFirstError);
  const focusAfterFailure = useEffectEvent(() => {
    if (profileFailure !== null) focusFirstError();
  });
  // Step 2 returns here with errors if the profile was emptied after step 1.
  useEffect(() => focusOnArrival(), []);
  useEffect(() => focusAfterFailure(), [profileFailure]);

  const submit = () => {
    actor.send({
      type: 'name.submit',
      profile: user,
      taken: projects?.map(({ projectName }) => projectName) ?? [],
    });
    focusFirstError();
  };

  return (
    <Card>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Project name" help="Shown in My Projects. Must be unique." error={nameError || null}>
          {(control) => (
            <Input
              {...control}
              ref={nameInput}
              autoFocus
              autoComplete="off"
              placeholder="My game"
              readOnly={isSaving}
              value={projectName}
              onChange={(event) => actor.send({ type: 'name.change', text: event.target.value })}
            />
          )}
        </Field>
        {gaps.map((part) => {
          const { label, kind, placeholder, autoComplete } = profileFields[part];
          return (
            <Field key={part} label={label} help={helps[part]} error={partError(part)}>
              {(control) => (
                <Input
                  {...control}
                  type={kind}
                  placeholder={placeholder}
                  autoComplete={autoComplete}
                  ref={(element) => {
                    partInputs.current[part] = element;
                  }}
                  readOnly={isSaving}
                  value={profileTexts[part]}
                  onChange={(event) => actor.send({ type: 'profile.change', part, text: event.target.value })}
                />
              )}
            </Field>
          );
        })}
        {isUnexplained && (
          <Alert
            type="error"
            showIcon
            role="note"
            title="Your profile couldn’t be saved"
            description={`${failureText(profileFailure)} Everything you entered is still here.`}
          />
        )}
        <Flex>
          <Button
            type="primary"
            htmlType="submit"
            disabled={isSaving}
            icon={isSaving && <LoadingOutlined aria-hidden />}
          >
            {isSaving ? 'Saving...' : 'Create New'}
          </Button>
        </Flex>
      </form>
    </Card>
  );
}
