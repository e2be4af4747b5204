import { AppleFilled, GoogleOutlined } from '@ant-design/icons';
import type { ProviderName } from '@orange-id/contract/identity.schema';
import { Button, Modal, Typography } from 'antd';
import { Link } from 'react-router-dom';

interface SignInDialogProps {
  state: 'closed' | 'open' | 'leaving';
  onChoose: (provider: ProviderName) => void;
  onClose: () => void;
}

/** The sign-in dialog (spec §2): Google and Apple here, every other way on the sign-in page. */
export function SignInDialog({ state, onChoose, onClose }: SignInDialogProps) {
  return (
    <Modal
      title="Sign in to Orange ID"
      open={state !== 'closed'}
      onCancel={onClose}
      footer={null}
      width={420}
      destroyOnHidden
    >
      <div className="sign-in-dialog" data-machine="signInDialog" data-state={state}>
        <Typography.Paragraph type="secondary">
          Choose your preferred sign-in method to access your developer portal
        </Typography.Paragraph>
        <Button
          block
          size="large"
          icon={<GoogleOutlined />}
          disabled={state === 'leaving'}
          onClick={() => onChoose('google')}
        >
          Continue with Google
        </Button>
        <Button
          block
          size="large"
          icon={<AppleFilled />}
          disabled={state === 'leaving'}
          onClick={() => onChoose('apple')}
        >
          Continue with Apple
        </Button>
        <Link to="/login" onClick={onClose} className="sign-in-other">
          Use e-mail or a wallet
        </Link>
        <Typography.Paragraph type="secondary" className="sign-in-note">
          By continuing, you agree to our{' '}
          <a href="#" onClick={(event) => event.preventDefault()}>
            Terms of Service
          </a>{' '}
          and{' '}
          <a href="#" onClick={(event) => event.preventDefault()}>
            Privacy Policy
          </a>
          .
        </Typography.Paragraph>
      </div>
    </Modal>
  );
}
