import { limits } from '@orange-id/contract/limits';
import { Button, Form } from 'antd';
import Input from 'antd/es/input/Input';
import { useEffect, useState } from 'react';
import { EmailField } from './EmailField';
import { EmailText } from './EmailText';
import { fieldText } from './failure.text';
import type { LoginFailure } from './login.failure';
import { LoginForm, type PanelFormProps } from './LoginForm';
import { keepTypedEmail, readTypedEmail } from './typed.email';

interface EmailValues {
  email: string;
  password: string;
  passwordConfirm: string;
}

interface EmailFormProps extends PanelFormProps {
  /** `link` adds an email and a password to the user's account; `prove` asks only for its password. */
  mode: 'login' | 'register' | 'link' | 'prove';
  /** For `prove`: the email of the account. */
  account?: string;
  onSubmit(values: EmailValues): void;
  onSwitch(): void;
  onForget(email: string): void;
}

const fieldNames: Record<keyof EmailValues, string> = {
  email: 'Email',
  password: 'Password',
  passwordConfirm: 'Password confirmation',
};

const submitLabels = {
  login: 'Sign in',
  register: 'Create account',
  link: 'Connect email',
  prove: 'Confirm',
};

/** The failure's messages as errors of the form's fields. */
function fieldErrors(failure: LoginFailure | null): { name: keyof EmailValues; errors: string[] }[] {
  if (failure?.code === 'emailTaken') {
    return [{ name: 'email', errors: ['This email is already in use.'] }];
  }
  return (Object.keys(fieldNames) as (keyof EmailValues)[]).flatMap((name) => {
    const message = failure?.fields?.[name];
    return message ? [{ name, errors: [fieldText(fieldNames[name], message)] }] : [];
  });
}

/** Signing in or registering with email and password; the values stay after a failure or a switch of forms. */
export function EmailForm({ mode, account, onSubmit, onSwitch, onForget, ...panel }: EmailFormProps) {
  const { email: typedEarlier, isBusy, failure, inputClass, onBack } = panel;
  const [form] = Form.useForm<EmailValues>();
  const [isShown, setIsShown] = useState(false);
  const [wasRefused, setWasRefused] = useState(false);
  const [isPasswordRefused, setPasswordRefused] = useState(false);
  const isRegister = mode === 'register' || mode === 'link';
  const isSignIn = mode === 'login' || mode === 'register';
  const passwordType = isShown ? 'text' : 'password';

  useEffect(() => {
    const errors = fieldErrors(failure);
    form.setFields(errors);
    // The button lost the focus when it was disabled during the attempt.
    const { activeElement } = document;
    const isFree = activeElement === document.body || Boolean(activeElement?.closest('form'));
    if (failure && !isBusy && isFree) form.focusField(errors[0]?.name ?? 'password');
  }, [form, failure, isBusy]);

  function switchMode(): void {
    form.setFields((Object.keys(fieldNames) as (keyof EmailValues)[]).map((name) => ({ name, errors: [] })));
    setWasRefused(false);
    onSwitch();
    form.focusField('email');
  }

  const intro = (
    <>
      {mode === 'link' && (
        <p className="oid-login-note oid-login-intro">
          You’ll be able to sign in with this email and password. The email can differ from the one on your
          profile.
        </p>
      )}
      {mode === 'prove' && (
        <>
          {account && (
            <p className="oid-login-note oid-login-intro">
              For <EmailText email={account} />
            </p>
          )}
          {/* Password managers read here whose password it is. */}
          <input type="hidden" name="username" autoComplete="username" value={account ?? ''} />
        </>
      )}
    </>
  );

  return (
    <LoginForm
      panel={panel}
      form={form}
      name="oid-email"
      isLink={mode === 'link'}
      intro={intro}
      submitLabel={submitLabels[mode]}
      links={
        <>
          {isSignIn && (
            <Button type="link" onClick={switchMode}>
              {isRegister ? 'Sign in instead' : 'Create an account'}
            </Button>
          )}
          {mode !== 'register' && (
            <Button type="text" onClick={onBack}>
              Back
            </Button>
          )}
        </>
      }
      initialValues={{ email: typedEarlier || (isSignIn ? readTypedEmail() : '') }}
      onValuesChange={(_, { email }) => isSignIn && keepTypedEmail(email ?? '')}
      onFieldsChange={(changed) => {
        const password = changed.find(({ name }) => String(name) === 'password');
        if (password) setPasswordRefused((password.errors?.length ?? 0) > 0);
      }}
      validateTrigger={wasRefused ? 'onChange' : 'onSubmit'}
      onFinish={({
        email = '',
        password,
        passwordConfirm = '',
      }: Partial<EmailValues> & { password: string }) => onSubmit({ email, password, passwordConfirm })}
      onFinishFailed={({ errorFields }) => {
        setWasRefused(true);
        if (errorFields[0]) form.focusField(errorFields[0].name);
      }}
    >
      {mode !== 'prove' && <EmailField isNew={isRegister} inputClass={inputClass} />}
      <Form.Item
        name="password"
        label="Password"
        extra={
          isRegister && !isPasswordRefused
            ? `At least ${limits.passwordMinCharacters} characters.`
            : undefined
        }
        rules={[
          { required: true, message: isRegister ? 'Choose a password.' : 'Enter your password.' },
          ...(isRegister
            ? [
                {
                  min: limits.passwordMinCharacters,
                  message: `Use at least ${limits.passwordMinCharacters} characters.`,
                },
              ]
            : []),
        ]}
      >
        <Input
          type={passwordType}
          size="large"
          className={inputClass}
          autoComplete={isRegister ? 'new-password' : 'current-password'}
          {...(mode === 'prove' ? { 'data-focus': true } : {})}
          maxLength={limits.passwordMaxCharacters}
          suffix={
            <Button
              type="text"
              size="small"
              className="oid-login-reveal"
              disabled={false}
              aria-pressed={isShown}
              onClick={() => setIsShown(!isShown)}
            >
              {isShown ? 'Hide' : 'Show'}
            </Button>
          }
        />
      </Form.Item>
      {isRegister && (
        <Form.Item
          name="passwordConfirm"
          label="Confirm password"
          dependencies={['password']}
          rules={[
            { required: true, message: 'Enter the password again.' },
            ({ getFieldValue }) => ({
              validator: (_, value: unknown) =>
                !value || value === getFieldValue('password')
                  ? Promise.resolve()
                  : Promise.reject(new Error('The passwords don’t match.')),
            }),
          ]}
        >
          <Input
            type={passwordType}
            size="large"
            className={inputClass}
            autoComplete="new-password"
            maxLength={limits.passwordMaxCharacters}
          />
        </Form.Item>
      )}
      {mode === 'login' && (
        <Button
          type="link"
          className="oid-login-forgot"
          onClick={() => onForget((form.getFieldValue('email') as string | undefined) ?? '')}
        >
          Forgot password?
        </Button>
      )}
    </LoginForm>
  );
}
