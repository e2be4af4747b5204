import { DeleteOutlined, GlobalOutlined, LoadingOutlined } from '@ant-design/icons';
import type { IdentityUser } from '@orange-id/contract/identity.schema';
import { readableHost } from '@orange-id/contract/readable.host';
import { useSelector } from '@xstate/react';
import { Alert, Button, Card, Flex, Typography, type InputRef } from 'antd';
import { useEffect, useRef } from 'react';
import { OriginText } from '../../ui/OriginText';
import { UrlForm } from '../../ui/UrlForm';
import { urlAdvice } from '../../ui/url.text';
import { creationFailure, isNameTaken } from './creation.failure';
import { canCreate, hasUrl, type WizardActor } from './wizard.selectors';
import { urlSentence } from './wizard.text';

/** Step 2: the project's allowed URLs, and the button that creates the project. */
export function UrlStep({ actor, user }: { actor: WizardActor; user: IdentityUser }) {
  const snapshot = useSelector(actor, (current) => current);
  const { projectName, urls, urlText, urlRefusal, failure, created } = snapshot.context;
  const isCreating = snapshot.hasTag('busy');
  const input = useRef<InputRef>(null);
  const createButton = useRef<HTMLButtonElement>(null);

  const focusInput = () => input.current?.focus();
  const add = () => {
    actor.send({ type: 'url.add' });
    focusInput();
  };
  const remove = (url: string) => {
    actor.send({ type: 'url.remove', url });
    // The focused button was removed with its URL.
    focusInput();
  };
  const create = () => {
    actor.send({ type: 'project.create', profile: user });
    if (actor.getSnapshot().context.urlRefusal) focusInput();
  };

  useEffect(() => {
    // The button lost the focus when it was disabled during the request.
    if (failure !== null && document.activeElement === document.body) createButton.current?.focus();
  }, [failure]);

  return (
    <Card>
      <Flex vertical gap={16}>
        <Typography.Text type="secondary">
          Project <Typography.Text strong>{projectName.trim()}</Typography.Text>
        </Typography.Text>
        <UrlForm
          ref={input}
          text={urlText}
          error={urlRefusal && urlSentence(urlRefusal, urlText)}
          advice={urlRefusal && urlAdvice(urlRefusal)}
          isDisabled={isCreating}
          autoFocus
          onChange={(text) => actor.send({ type: 'url.change', text })}
          onAdd={add}
        />
        {urls.length === 0 && (
          <Typography.Text type="secondary">
            No site yet? Use https://example.com. Calls from curl and localhost always work.
          </Typography.Text>
        )}
        {urls.length > 0 && (
          <ul className="rows rows-framed rows-dense" aria-label="Allowed URLs">
            {urls.map((url) => (
              <li key={url}>
                <GlobalOutlined aria-hidden />
                <span className="rows-words">
                  <OriginText origin={url} />
                </span>
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={`Remove ${readableHost(url)}`}
                  disabled={isCreating}
                  onClick={() => remove(url)}
                />
              </li>
            ))}
          </ul>
        )}
        {failure !== null && (
          <Alert
            type="error"
            showIcon
            // The toast already announces the error to screen readers.
            role="note"
            title="Project Creation Failed"
            description={
              <Flex vertical gap={8}>
                <span>{creationFailure(failure)}</span>
                {isNameTaken(failure) && (
                  <Button style={{ alignSelf: 'start' }} onClick={() => actor.send({ type: 'step.back' })}>
                    Change the name
                  </Button>
                )}
              </Flex>
            }
          />
        )}
        <Flex wrap gap={8} align="center">
          <Button disabled={isCreating} onClick={() => actor.send({ type: 'step.back' })}>
            Back
          </Button>
          {created && (
            <Button disabled={isCreating} onClick={() => actor.send({ type: 'summary.open' })}>
              View summary
            </Button>
          )}
          <Button
            ref={createButton}
            type="primary"
            icon={isCreating && <LoadingOutlined aria-hidden />}
            disabled={!canCreate(snapshot)}
            onClick={create}
          >
            {isCreating ? 'Creating Project...' : 'Create Project'}
          </Button>
          {!hasUrl(snapshot) && (
            <Typography.Text type="secondary">Add at least one URL to continue.</Typography.Text>
          )}
        </Flex>
      </Flex>
    </Card>
  );
}
