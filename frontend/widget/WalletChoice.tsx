import { ExportOutlined, QrcodeOutlined, WalletOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import type { LoginPurpose } from './login.types';
import { toChoice } from './panel.text';
import type { ListedWallet } from './wallet.list';

interface WalletChoiceProps {
  purpose: LoginPurpose;
  /** Whether the panel offers no other method. */
  isOnlyMethod: boolean;
  wallets: ListedWallet[];
  buttonClass?: string;
  onPick(wallet: ListedWallet): void;
  onBack(): void;
  onReload(): void;
}

/** The wallet's icon, or a generic one if it has none or the page's content security policy blocks it. */
export function WalletIcon({ icon }: Pick<ListedWallet, 'icon'>) {
  const [failed, setFailed] = useState<string>();
  return icon && icon !== failed ? (
    <img
      className="oid-login-wallet-icon"
      src={icon}
      alt=""
      width={24}
      height={24}
      onError={() => setFailed(icon)}
    />
  ) : (
    <WalletOutlined className="oid-login-wallet-icon" aria-hidden />
  );
}

const alternatives: Record<LoginPurpose, string> = {
  signIn: 'use another sign-in method',
  link: 'connect another method',
  prove: 'confirm with another method',
};

/** The wallets of this browser by name and icon, or what to do if there are none. */
export function WalletChoice(props: WalletChoiceProps) {
  const { purpose, isOnlyMethod, wallets, buttonClass, onPick, onBack, onReload } = props;
  if (wallets.length === 0) {
    return (
      <div className="oid-login-stack">
        <p className="oid-login-note">
          Install a wallet extension or open this page in your wallet app&rsquo;s browser, then reload.
          <span>{!isOnlyMethod && ` Or ${alternatives[purpose]}.`}</span>
        </p>
        <Button
          block
          size="large"
          className={buttonClass}
          icon={<ExportOutlined aria-hidden />}
          href="https://ethereum.org/wallets/find-wallet/"
          target="_blank"
          rel="noopener noreferrer"
          data-focus
        >
          Find a wallet
        </Button>
        <Button block size="large" className={buttonClass} onClick={onReload}>
          Reload page
        </Button>
        <Button block size="large" type="text" onClick={onBack}>
          {toChoice(purpose, isOnlyMethod)}
        </Button>
      </div>
    );
  }
  return (
    <div className="oid-login-stack">
      <ul className="oid-login-wallets">
        {wallets.map((wallet, index) => (
          <li key={wallet.id}>
            <Button
              block
              size="large"
              className={buttonClass}
              icon={
                wallet.isRemote ? (
                  <QrcodeOutlined className="oid-login-wallet-icon" aria-hidden />
                ) : (
                  <WalletIcon icon={wallet.icon} />
                )
              }
              onClick={() => onPick(wallet)}
              {...(index === 0 ? { 'data-focus': true } : {})}
            >
              {wallet.isRemote ? `${wallet.name} (scan a QR code)` : wallet.name}
            </Button>
          </li>
        ))}
      </ul>
      <Button block size="large" type="text" onClick={onBack}>
        {toChoice(purpose, isOnlyMethod)}
      </Button>
    </div>
  );
}
