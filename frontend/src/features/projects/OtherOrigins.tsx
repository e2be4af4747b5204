import { ApiOutlined, DeleteOutlined, LoadingOutlined } from '@ant-design/icons';
import { limits } from '@orange-id/contract/limits';
import {
  checkOtherOrigin,
  opaqueOrigin,
  type OtherOriginRefusal,
} from '@orange-id/contract/other.origin.rule';
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Alert, Button, Card, Flex, Input, Typography, type InputRef } from 'antd';
import { useCallback, useRef, useState, type Ref } from 'react';
import { failureText } from '../../api/failure.text';
import { changeOtherOrigins, useOtherOrigins } from '../../api/projects/other.origins';
import { Field } from '../../ui/Field';
import { ListState } from '../../ui/ListState';
import { useToast } from '../../ui/toast';
import { useSubmission } from '../../ui/useSubmission';
import { otherOriginMachine } from './other.origins.machine';

const refusals: Record<OtherOriginRefusal, string> = {
  required: 'Enter the origin of an extension, or null.',
  page: 'Add a page’s URL under Allowed URLs.',
  extensionId: 'Enter the whole origin, such as chrome-extension:// and the extension’s 32 letters.',
  unsupported: 'Only browser extensions and null can be allowed.',
  duplicate: 'This origin is already in the list.',
  tooMany: `A project can have at most ${limits.otherOriginsPerProject} other origins.`,
};

interface OtherOriginsProps {
  code: string;
  /** What is in the field; an origin that was refused may be put there. */
  text: string;
  onText: (text: string) => void;
  input: Ref<InputRef>;
}

/** The browser extensions and `null` that may call with the project's key: they have no URL to allow. */
export function OtherOrigins({ code, text, onText, input }: OtherOriginsProps) {
  const query = useOtherOrigins(code);
  const { data, error, isPending, isFetching, refetch } = query;
  const queryClient = useQueryClient();
  const showToast = useToast();
  const heading = useRef<HTMLHeadingElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const origins = data?.origins ?? [];
  const change = useCallback(
    async ({ origin, isAdded }: { origin: string; isAdded: boolean }) => {
      // Of the newest list, which another tab may have changed.
      const { data: newest } = await refetch({ throwOnError: true });
      const rest = newest?.origins.filter((each) => each !== origin) ?? [];
      await changeOtherOrigins(queryClient, code, isAdded ? [...rest, origin] : rest);
    },
    [queryClient, code, refetch],
  );
  const actor = useSubmission(otherOriginMachine, change, {
    onDone: ({ origin, isAdded }) => {
      if (isAdded) onText('');
      else heading.current?.focus();
      showToast({
        tone: 'success',
        title: isAdded ? 'Origin allowed' : 'Origin removed',
        description: origin,
      });
    },
    onFailed: (failure) => setProblem(`Failed to change the list: ${failureText(failure as Error)}`),
  });
  const snapshot = useSelector(actor, (current) => current);
  const isBusy = snapshot.hasTag('busy');
  const submit = () => {
    if (isBusy) return;
    const verdict = checkOtherOrigin(text, origins);
    setProblem(verdict.ok ? null : refusals[verdict.code]);
    if (verdict.ok)
      actor.send({ type: 'submission.start', subject: { origin: verdict.origin, isAdded: true } });
  };
  return (
    <Card>
      <Flex component="section" vertical gap={16} aria-labelledby="other-origins-title">
        <h3 id="other-origins-title" ref={heading} tabIndex={-1}>
          Other origins
        </h3>
        <Typography.Text type="secondary">
          Browser extensions, and pages without an origin (null), may call with this project’s key. Nobody can
          sign in from them.
        </Typography.Text>
        <ListState
          isLoading={isPending}
          error={data ? null : error}
          errorTitle="Failed to load other origins"
          isRetrying={isFetching}
          onRetry={() => void refetch()}
          isEmpty={false}
          emptyTitle=""
        >
          {origins.length > 0 && (
            <ul className="rows rows-dense" aria-label="Other origins">
              {origins.map((origin) => (
                <li key={origin}>
                  <ApiOutlined aria-hidden />
                  <span className="rows-words">{origin}</span>
                  <Button
                    type="text"
                    size="small"
                    icon={<DeleteOutlined />}
                    aria-label={`Remove ${origin}`}
                    aria-disabled={isBusy}
                    onClick={() => {
                      if (!isBusy)
                        actor.send({ type: 'submission.start', subject: { origin, isAdded: false } });
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
          <form
            noValidate
            aria-label="Add other origin"
            data-machine="otherOrigin"
            data-state={snapshot.value}
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            <Field
              label="Extension or null"
              error={problem}
              action={
                <Button htmlType="submit" disabled={isBusy} icon={isBusy && <LoadingOutlined aria-hidden />}>
                  {isBusy ? 'Saving...' : 'Add origin'}
                </Button>
              }
            >
              {({ status, ...control }) => (
                <Input
                  {...control}
                  status={status}
                  ref={input}
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  placeholder="chrome-extension://..."
                  value={text}
                  onChange={({ target }) => {
                    onText(target.value);
                    setProblem(null);
                  }}
                />
              )}
            </Field>
          </form>
          {(text.trim().toLowerCase() === opaqueOrigin || origins.includes(opaqueOrigin)) && (
            <Alert
              type="warning"
              showIcon
              role="note"
              title="null isn’t one site"
              description="Every sandboxed frame and every local file sends it, so any of them that knows the key can call. Give the key a limit."
            />
          )}
        </ListState>
      </Flex>
    </Card>
  );
}
