import { Button, Input, type InputRef } from 'antd';
import type { ReactNode, Ref } from 'react';
import { Field } from './Field';

const usualHelp = 'A site that can use the API key from a browser. We keep only the protocol and host.';

interface UrlFormProps {
  ref: Ref<InputRef>;
  text: string;
  /** By default, the rules for an allowed URL. */
  help?: ReactNode;
  error: string | null;
  isDisabled: boolean;
  /** For a page; a dialog sets the focus itself after opening. */
  autoFocus?: boolean;
  onChange: (text: string) => void;
  onAdd: () => void;
}

/** The form for a URL of a project's whitelist; Enter or its button adds the URL. */
export function UrlForm(props: UrlFormProps) {
  const { ref, text, help = usualHelp, error, isDisabled, autoFocus = false, onChange, onAdd } = props;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onAdd();
      }}
    >
      <Field
        label="Allowed URL"
        help={help}
        error={error}
        action={
          <Button htmlType="submit" disabled={isDisabled}>
            Add URL
          </Button>
        }
      >
        {(control) => (
          <Input
            {...control}
            ref={ref}
            autoFocus={autoFocus}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            placeholder="https://example.com"
            disabled={isDisabled}
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
    </form>
  );
}
