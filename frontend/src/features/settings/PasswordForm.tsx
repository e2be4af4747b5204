import { LoadingOutlined } from '@ant-design/icons';
import type { PasswordChange } from '@orange-id/contract/identity.schema';
import { limits } from '@orange-id/contract/limits';
import { Alert, Button, Flex, Input, Typography, type InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { isComposing } from '@orange-id/contract/typed.key';
import { Field } from '../../ui/Field';
import { passwordFieldNames, problemsOf, refusalOf, type PasswordFieldName } from './password.form';
import styles from './settings.module.css';

const empty: PasswordChange = { currentPassword: '', password: '', passwordConfirm: '' };
const words: Record<PasswordFieldName, { label: string; help?: string; autoComplete: string }> = {
  currentPassword: { label: 'Current password', autoComplete: 'current-password' },
  password: {
    label: 'New password',
    help: `At least ${limits.passwordMinCharacters} characters.`,
    autoComplete: 'new-password',
  },
  passwordConfirm: { label: 'Confirm password', autoComplete: 'new-password' },
};

/**
 * The field whose Show button reveals this one: the button of the new password also reveals its repetition, as on
 * sign-up.
 */
const revealOf = (name: PasswordFieldName) => (name === 'passwordConfirm' ? 'password' : name);

interface PasswordFormProps {
  email: string;
  isChanging: boolean;
  /** Error of the last attempt; `null` if there is none. */
  failure: unknown;
  onSubmit: (change: PasswordChange) => void;
  onCancel: () => void;
}

/** Form for the current password and the new one, twice. It keeps its input after a failure and drops it when closed. */
export function PasswordForm({ email, isChanging, failure, onSubmit, onCancel }: PasswordFormProps) {
  const [change, setChange] = useState(empty);
  const [shown, setShown] = useState({ currentPassword: false, password: false });
  const [isChecked, setIsChecked] = useState(false);
  const inputs = useRef<Partial<Record<PasswordFieldName, InputRef | null>>>({});
  const refusal = failure === null ? null : refusalOf(failure);
  const problems = isChecked ? problemsOf(change) : (refusal?.fields ?? {});

  useEffect(() => inputs.current.currentPassword?.focus(), []);
  useEffect(() => {
    if (failure === null) return;
    const first = passwordFieldNames.find((name) => refusalOf(failure).fields[name]);
    inputs.current[first ?? 'currentPassword']?.focus();
  }, [failure]);

  function submit(): void {
    const found = problemsOf(change);
    const first = passwordFieldNames.find((name) => found[name]);
    setIsChecked(first !== undefined);
    if (first) inputs.current[first]?.focus();
    else onSubmit(change);
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isComposing(event.nativeEvent)) onCancel();
      }}
    >
      {/* Tells password managers which account the password belongs to. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      {refusal?.rest && <Alert type="error" showIcon role="alert" title={refusal.rest} />}
      {passwordFieldNames.map((name) => (
        <Field key={name} label={words[name].label} help={words[name].help} error={problems[name]}>
          {(control) => (
            <Input
              type={shown[revealOf(name)] ? 'text' : 'password'}
              {...control}
              ref={(input) => {
                inputs.current[name] = input;
              }}
              autoComplete={words[name].autoComplete}
              maxLength={limits.passwordMaxCharacters}
              readOnly={isChanging}
              value={change[name]}
              onChange={({ target }) => setChange((before) => ({ ...before, [name]: target.value }))}
              suffix={
                revealOf(name) === name && (
                  <Button
                    type="text"
                    size="small"
                    className={styles.passwordReveal}
                    aria-pressed={shown[name]}
                    onClick={() => setShown((before) => ({ ...before, [name]: !before[name] }))}
                  >
                    <span>{shown[name] ? 'Hide' : 'Show'}</span>
                    <span className="visually-hidden"> {words[name].label.toLowerCase()}</span>
                  </Button>
                )
              }
            />
          )}
        </Field>
      ))}
      <Typography.Text type="secondary">This signs you out everywhere else.</Typography.Text>
      <Flex gap={8}>
        <Button
          type="primary"
          htmlType="submit"
          disabled={isChanging}
          icon={isChanging && <LoadingOutlined aria-hidden />}
        >
          {isChanging ? 'Changing...' : 'Change password'}
        </Button>
        <Button disabled={isChanging} onClick={onCancel}>
          Cancel
        </Button>
      </Flex>
    </form>
  );
}
