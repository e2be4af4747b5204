import { ArrowRightOutlined } from '@ant-design/icons';
import { Button, Form, type FormProps } from 'antd';
import type { ReactNode } from 'react';
import { FailureAlert } from './FailureAlert';
import type { LoginFailure } from './login.failure';

/** What the panel passes to each of its forms. */
export interface PanelFormProps {
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
  onBack(): void;
}

interface LoginFormProps<Values> extends Omit<FormProps<Values>, 'children'> {
  panel: PanelFormProps;
  intro: ReactNode;
  submitLabel: string;
  isLink?: boolean;
  isReset?: boolean;
  /** The buttons below the submit button. */
  links: ReactNode;
  children: ReactNode;
}

/** A form of the panel: its introduction, the failure of the last attempt, its fields and its buttons. */
export function LoginForm<Values>(props: LoginFormProps<Values>) {
  const { panel, intro, submitLabel, isLink, isReset, links, children, ...form } = props;
  return (
    <Form
      {...form}
      layout="vertical"
      requiredMark={false}
      className={panel.formClass}
      disabled={panel.isBusy}
      noValidate
    >
      {intro}
      <FailureAlert
        failure={panel.failure}
        isLink={isLink}
        isReset={isReset}
        isOnlyMethod={panel.isOnlyMethod}
        className={panel.errorClass}
      />
      {children}
      {/* A button without an icon fades its spinner in and out, and a response faster than the fade would leave it
          spinning. */}
      <Button
        block
        size="large"
        type="primary"
        htmlType="submit"
        className={panel.buttonClass}
        icon={<ArrowRightOutlined aria-hidden />}
        iconPlacement="end"
        // Not disabled with the form, so that it keeps its colour.
        disabled={false}
        loading={panel.isBusy}
      >
        {submitLabel}
      </Button>
      <div className="oid-login-row">{links}</div>
    </Form>
  );
}
