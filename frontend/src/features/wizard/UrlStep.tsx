import { DeleteOutlined, GlobalOutlined, LoadingOutlined } from '@ant-design/icons';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { profileGaps } from '@orange-id/contract/profile.rule';
import { useSelector } from '@xstate/react';
import { Button, Card, Input, Typography } from 'antd';
import { useRef } from 'react';
import { Field } from '../../ui/Field';
import { ProfileHint } from './ProfileHint';
import { canCreate, type WizardActor } from './wizard.selectors';
import { urlSentences } from './wizard.sentences';

/** Step 2: where the project runs, and its creation. */
export function UrlStep({ actor, user }: { actor: WizardActor; user: IdentityUser }) {
  const snapshot = useSelector(actor, (current) => current);
  const { projectName, urls, urlText, urlRefusal, isProfileNeeded, created } = snapshot.context;
  const isCreating = snapshot.matches('creating');
  const gaps = isProfileNeeded ? profileGaps(user) : [];
  const input = useRef<HTMLInputElement | null>(null);

  const remove = (url: string) => {
    actor.send({ type: 'url.remove', url });
    // The button that had the focus is gone.
    input.current?.focus();
  };

  return (
    <Card>
      <div className="wizard-form">
        <Typography.Text type="secondary" className="wizard-name">
          Project <Typography.Text strong>{projectName.trim()}</Typography.Text>
        </Typography.Text>
        <form
          className="wizard-add"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            actor.send({ type: 'url.add' });
          }}
        >
          <Field
            label="Whitelist URL"
            help="A site that may use the key from a browser. Scheme and host count; path and port are dropped."
            error={urlRefusal && urlSentences[urlRefusal]}
          >
            {(control) => (
              <div className="wizard-add-row">
                <Input
                  {...control}
                  ref={(instance) => {
                    input.current = instance?.input ?? null;
                  }}
                  autoFocus
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  inputMode="url"
                  placeholder="https://example.com"
                  disabled={isCreating}
                  value={urlText}
                  onChange={(event) => actor.send({ type: 'url.change', text: event.target.value })}
                />
                <Button htmlType="submit" disabled={isCreating}>
                  Add URL
                </Button>
              </div>
            )}
          </Field>
        </form>
        {urls.length > 0 && (
          <ul className="wizard-urls" aria-label="Whitelist">
            {urls.map((url) => (
              <li key={url}>
                <GlobalOutlined aria-hidden />
                <span className="wizard-url">{url}</span>
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={`Remove ${url}`}
                  disabled={isCreating}
                  onClick={() => remove(url)}
                />
              </li>
            ))}
          </ul>
        )}
        <ProfileHint gaps={gaps} />
        <div className="wizard-actions">
          <Button disabled={isCreating} onClick={() => actor.send({ type: 'step.back' })}>
            Back
          </Button>
          {created && (
            <Button disabled={isCreating} onClick={() => actor.send({ type: 'summary.open' })}>
              View Summary
            </Button>
          )}
          <Button
            type="primary"
            icon={isCreating && <LoadingOutlined aria-hidden />}
            disabled={!canCreate(snapshot)}
            onClick={() => actor.send({ type: 'project.create', profile: user })}
          >
            {isCreating ? 'Creating Project...' : 'Create Project'}
          </Button>
          {urls.length === 0 && (
            <Typography.Text type="secondary">Add at least one URL to create the project.</Typography.Text>
          )}
        </div>
      </div>
    </Card>
  );
}
