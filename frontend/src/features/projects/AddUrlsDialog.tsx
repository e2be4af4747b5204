import { DeleteOutlined, GlobalOutlined, LoadingOutlined } from '@ant-design/icons';
import { readableHost } from '@orange-id/contract/readable.host';
import { useSelector } from '@xstate/react';
import { Alert, Button, Flex, Typography, type InputRef } from 'antd';
import { useEffect, useRef, type RefObject } from 'react';
import type { ActorRefFrom } from 'xstate';
import { stateName } from '../../inspect/machine.inspect';
import { Dialog } from '../../ui/Dialog';
import { OriginText } from '../../ui/OriginText';
import { UrlForm } from '../../ui/UrlForm';
import { urlAdvice } from '../../ui/url.text';
import { additionFailure, normalizedSentence, urlSentence } from './project.text';
import type { addUrlsMachine } from './add.urls.machine';
import styles from './projects.module.css';

interface AddUrlsDialogProps {
  actor: ActorRefFrom<typeof addUrlsMachine>;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Adds allowed URLs: collects a list and saves it in one call. Cancel, Escape and a click outside keep the list. */
export function AddUrlsDialog({ actor, focusAfter }: AddUrlsDialogProps) {
  const snapshot = useSelector(actor, (current) => current);
  const { project, urlText, pending, refusal, normalized, failure } = snapshot.context;
  const isBusy = snapshot.hasTag('busy');
  const isGone = snapshot.hasTag('gone');
  const input = useRef<InputRef>(null);
  const save = useRef<HTMLButtonElement>(null);
  const canSave = pending.length > 0 || (urlText.trim() !== '' && refusal === null);

  useEffect(() => {
    // The button lost the focus when it was disabled during the request.
    if (failure && !isBusy) save.current?.focus();
  }, [failure, isBusy]);
  const close = () => actor.send({ type: 'dialog.close' });
  const saveAll = () => {
    actor.send({ type: 'urls.save' });
    if (actor.getSnapshot().context.refusal) input.current?.focus();
  };

  return (
    <div data-machine="addUrls" data-state={stateName(snapshot.value)}>
      <Dialog
        isOpen={snapshot.hasTag('open')}
        title="Add allowed URLs"
        width={560}
        isDescribed={false}
        onOpened={() => input.current?.focus({ cursor: 'end' })}
        focusAfter={focusAfter}
        onCancel={close}
        footer={
          isGone ? (
            <Button autoFocus onClick={close}>
              Close
            </Button>
          ) : (
            <Flex wrap gap={8} align="center" justify="flex-end">
              {!canSave && (
                <Typography.Text type="secondary" className={styles.dialogHint}>
                  Add at least one URL to save.
                </Typography.Text>
              )}
              <Button disabled={isBusy} onClick={close}>
                Cancel
              </Button>
              <Button
                ref={save}
                type="primary"
                disabled={isBusy || !canSave}
                icon={isBusy && <LoadingOutlined aria-hidden />}
                onClick={saveAll}
              >
                {isBusy ? 'Saving...' : 'Save Changes'}
              </Button>
            </Flex>
          )
        }
      >
        {isGone ? (
          <Alert
            type="info"
            showIcon
            role="alert"
            title="This project was deleted in another tab or on another device, so you can’t add URLs to it."
          />
        ) : (
          <Flex vertical gap={12}>
            <p>
              Pages on the URLs you add will be able to use the API key for{' '}
              <strong>{project?.projectName}</strong>.
            </p>
            <UrlForm
              ref={input}
              text={urlText}
              {...(normalized ? { help: normalizedSentence(normalized) } : {})}
              error={refusal && urlSentence(refusal, urlText)}
              advice={refusal && urlAdvice(refusal)}
              isDisabled={isBusy}
              onChange={(text) => actor.send({ type: 'url.change', text })}
              onAdd={() => {
                actor.send({ type: 'url.add' });
                input.current?.focus();
              }}
            />
            {pending.length > 0 && (
              <ul className="rows rows-dense" aria-label="Pending URLs">
                {pending.map((url) => (
                  <li key={url}>
                    <GlobalOutlined aria-hidden />
                    <span className="rows-words">
                      <OriginText origin={url} />
                    </span>
                    <Button
                      type="text"
                      size="small"
                      icon={<DeleteOutlined />}
                      aria-label={`Remove ${readableHost(url)}`}
                      disabled={isBusy}
                      onClick={() => {
                        actor.send({ type: 'url.remove', url });
                        // The focused button was removed with its URL.
                        input.current?.focus();
                      }}
                    />
                  </li>
                ))}
              </ul>
            )}
            {failure !== null && !isBusy && (
              // The toast already announces the error to screen readers.
              <Alert type="error" showIcon role="note" title={additionFailure(failure)} />
            )}
          </Flex>
        )}
      </Dialog>
    </div>
  );
}
