import { ArrowRightOutlined, ExportOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { useEffect } from 'react';
import { EmailField } from './EmailField';
import { EmailText } from './EmailText';
import { FailureAlert } from './FailureAlert';
import type { LoginFailure } from './login.failure';
import { fieldText } from './failure.text';

interface ResetFormProps {
  /** The email typed earlier. */
  email: string;
  isBusy: boolean;
  failure: LoginFailure | null;
  /** Whether the panel offers no other method. */
  isOnlyMethod: boolean;
  buttonClass?: string;
  formClass?: string;
  inputClass?: string;
  errorClass?: string;
  onSubmit(email: string): void;
  onBack(): void;
}

/** Asks for the email that gets a link to set a new password. */
export function ResetForm(props: ResetFormProps) {
  const { email, isBusy, failure, onSubmit, onBack } = props;
  const [form] = Form.useForm<{ email: string }>();

  useEffect(() => {
    const refusal = failure?.fields?.email;
    form.setFields([{ name: 'email', errors: refusal ? [fieldText('Email', refusal)] : [] }]);
  }, [form, failure]);

  return (
    <Form
      form={form}
      name="oid-reset"
      layout="vertical"
      requiredMark={false}
      className={props.formClass}
      disabled={isBusy}
      initialValues={{ email }}
      validateTrigger="onSubmit"
      onFinish={({ email: typed }) => onSubmit(typed)}
      onFinishFailed={() => form.focusField('email')}
      noValidate
    >
      <p className="oid-login-note oid-login-intro">We’ll email you a link to choose a new password.</p>
      <FailureAlert
        failure={failure}
        isReset
        isOnlyMethod={props.isOnlyMethod}
        className={props.errorClass}
      />
      <EmailField inputClass={props.inputClass} />
      <Button
        block
        size="large"
        type="primary"
        htmlType="submit"
        className={props.buttonClass}
        icon={<ArrowRightOutlined aria-hidden />}
        iconPlacement="end"
        loading={isBusy}
      >
        Send link
      </Button>
      <div className="oid-login-row">
        <Button type="link" onClick={onBack}>
          Back to sign-in
        </Button>
      </div>
    </Form>
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
