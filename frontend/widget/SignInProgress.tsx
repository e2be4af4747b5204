import { LoadingOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { WalletIcon } from './WalletChoice';

type Step = 'connectingWallet' | 'signingMessage' | 'verifying' | 'redirecting' | 'linked' | 'proven';

interface SignInProgressProps {
  step: Step;
  /** Left out where no wallet takes part. */
  walletName?: string;
  icon?: string;
  onCancel?: () => void;
}

const words: Record<Step, (walletName: string) => [string, string]> = {
  connectingWallet: (name) => [
    'Approve the connection',
    `${name} asks you to share your address with this page.`,
  ],
  signingMessage: (name) => [
    'Sign the message',
    `${name} asks you to sign a message to prove you own this address. It’s free and sends no transaction.`,
  ],
  verifying: () => ['Checking the signature', 'This takes a moment.'],
  redirecting: () => ['Signed in', 'Taking you back to the application.'],
  proven: () => ['Confirmed', 'You can continue.'],
  linked: () => ['Added to your account', 'Taking you back to the application.'],
};

/** Where a sign-in stands, and what a wallet waits for. */
export function SignInProgress({ step, walletName, icon, onCancel }: SignInProgressProps) {
  const [title, help] = words[step](walletName ?? '');
  return (
    <div className="oid-login-stack oid-login-progress">
      <div className="oid-login-progress-icon">
        {walletName !== undefined && <WalletIcon icon={icon} />}
        <LoadingOutlined aria-hidden />
      </div>
      <div role="status">
        <h3 className="oid-login-subtitle">{title}</h3>
        <p className="oid-login-note">{help}</p>
      </div>
      {onCancel && (
        <Button type="text" onClick={onCancel} data-focus>
          Cancel
        </Button>
      )}
    </div>
  );
}
