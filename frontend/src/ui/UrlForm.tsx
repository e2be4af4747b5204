import { Button, Input, type InputRef } from 'antd';
import type { ReactNode, Ref } from 'react';
import { useConfig } from '../api/config/config.context';
import { servesTenants } from '../api/config/serves.tenants';
import { Field } from './Field';
import { prepareFor } from './url.check';

const signInHelp = 'Where your users sign in and your pages call the API. Paths and ports are ignored.';
const callsHelp = 'A site that can use the API key from a browser. We keep only the protocol and host.';
const wildcardHelp = 'A wildcard such as https://*.preview.example.com allows API calls only, not sign-in.';

interface UrlFormProps {
  ref: Ref<InputRef>;
  text: string;
  /** By default, the rules for an allowed URL. */
  help?: ReactNode;
  error: string | null;
  /** What helps, below the error. */
  advice?: string | null;
  isDisabled: boolean;
  /** For a page; a dialog sets the focus itself after opening. */
  autoFocus?: boolean;
  onChange: (text: string) => void;
  onAdd: () => void;
}

/** The form for a URL of a project's whitelist; Enter or its button adds the URL. */
export function UrlForm(props: UrlFormProps) {
  const config = useConfig();
  const usual = servesTenants(config) ? signInHelp : callsHelp;
  const ofRules = config.features.embeddedProjects ? `${usual} ${wildcardHelp}` : usual;
  const {
    ref,
    text,
    help = ofRules,
    error,
    advice = null,
    isDisabled,
    autoFocus = false,
    onChange,
    onAdd,
  } = props;
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
        advice={advice}
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
            placeholder="https://app.example.com"
            disabled={isDisabled}
            value={text}
            onChange={({ target }) => {
              void prepareFor(target.value);
              onChange(target.value);
            }}
          />
        )}
      </Field>
    </form>
  );
}
