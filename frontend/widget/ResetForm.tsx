import { ExportOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { useEffect } from 'react';
import { EmailField } from './EmailField';
import { EmailText } from './EmailText';
import { fieldText } from './failure.text';
import { LoginForm, type PanelFormProps } from './LoginForm';

/** Asks for the email that gets a link to set a new password. */
export function ResetForm({ onSubmit, ...panel }: PanelFormProps & { onSubmit(email: string): void }) {
  const { email, failure, onBack } = panel;
  const [form] = Form.useForm<{ email: string }>();

  useEffect(() => {
    const refusal = failure?.fields?.email;
    form.setFields([{ name: 'email', errors: refusal ? [fieldText('Email', refusal)] : [] }]);
  }, [form, failure]);

  return (
    <LoginForm
      panel={panel}
      form={form}
      name="oid-reset"
      isReset
      intro={
        <p className="oid-login-note oid-login-intro">We’ll email you a link to choose a new password.</p>
      }
      submitLabel="Send link"
      links={
        <Button type="link" onClick={onBack}>
          Back to sign-in
        </Button>
      }
      initialValues={{ email }}
      validateTrigger="onSubmit"
      onFinish={({ email: typed }) => onSubmit(typed)}
      onFinishFailed={() => form.focusField('email')}
    >
      <EmailField inputClass={panel.inputClass} />
    </LoginForm>
  );
}

interface ResetSentProps {
  email: string;
  mailboxUrl?: string;
  buttonClass?: string;
  onAgain(): void;
  onBack(): void;
}

/** The same text whether or not an account has that email, so nobody learns who has one. */
export function ResetSent({ email, mailboxUrl, buttonClass, onAgain, onBack }: ResetSentProps) {
  return (
    <div className="oid-login-stack">
      <p className="oid-login-note" role="status">
        If there’s an account with a password for{' '}
        <strong>
          <EmailText email={email} />
        </strong>
        , we’ve sent a link to that address. It works once and expires in an hour.
      </p>
      {mailboxUrl && (
        <Button
          block
          size="large"
          className={buttonClass}
          icon={<ExportOutlined aria-hidden />}
          href={mailboxUrl}
          target="_blank"
          rel="noopener noreferrer"
        >
          Open the development mailbox
        </Button>
      )}
      <Button block size="large" className={buttonClass} onClick={onBack} data-focus>
        Back to sign-in
      </Button>
      <div className="oid-login-row">
        <Button type="link" onClick={onAgain}>
          Send another link
        </Button>
      </div>
    </div>
  );
}
