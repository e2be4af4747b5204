import { LoadingOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { WalletIcon } from './WalletChoice';

export type Step =
  'waitingForWindow' | 'connectingWallet' | 'signingMessage' | 'verifying' | 'redirecting' | 'proven';

interface SignInProgressProps {
  step: Step;
  /** Omitted if no wallet takes part. */
  walletName?: string;
  icon?: string;
  onCancel?: () => void;
}

const words: Record<Step, (walletName: string) => string> = {
  waitingForWindow: () => 'Finish signing in there. This page continues when you’re done.',
  connectingWallet: (name) => `${name} asks you to share your address with this page.`,
  signingMessage: (name) =>
    `${name} asks you to sign a message to prove you own this address. It’s free and sends no transaction.`,
  verifying: () => 'This takes a moment.',
  redirecting: () => 'Taking you back to the app.',
  proven: () => 'You can continue.',
};

/** The progress of a sign-in, and what the wallet asks for. */
export function SignInProgress({ step, walletName, icon, onCancel }: SignInProgressProps) {
  return (
    <div className="oid-login-stack oid-login-progress">
      <div className="oid-login-progress-icon">
        {walletName !== undefined && <WalletIcon icon={icon} />}
        <LoadingOutlined aria-hidden />
      </div>
      <p className="oid-login-note" role="status">
        {words[step](walletName ?? '')}
      </p>
      {onCancel && (
        <Button type="text" onClick={onCancel} data-focus>
          Cancel
        </Button>
      )}
    </div>
  );
}
