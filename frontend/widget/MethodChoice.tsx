import type { Appearance } from '@orange-id/contract/appearance';
import { AppleFilled, GoogleOutlined, MailOutlined, WalletOutlined } from '@ant-design/icons';
import { Button, Divider } from 'antd';
import { Fragment } from 'react';
import { allFeatures, classes, type LoginPanelProps } from './login.props';
import type { SocialProvider } from './login.types';

interface MethodChoiceProps extends LoginPanelProps {
  /** The methods in the order of their buttons. */
  order: Appearance['methods'];
  /** The provider the page is being redirected to; its button shows a spinner. */
  leavingFor: SocialProvider | null;
  isLeaving: boolean;
  onProvider(provider: SocialProvider): void;
  onEmail(): void;
  onCreate(): void;
  onWallet(): void;
}

/** The sign-in methods that the page has enabled. */
export function MethodChoice(props: MethodChoiceProps) {
  const { buttonClass, leavingFor, isLeaving, onProvider, onEmail, onCreate, onWallet } = props;
  const features = { ...allFeatures, ...props.features };
  const isShown = {
    google: features.enableGoogleLogin,
    apple: features.enableAppleLogin,
    email: features.enableEmailLogin,
    wallet: features.enableWalletConnect,
  };
  const shown = props.order.filter((method) => isShown[method]);
  const verb = props.purpose === 'link' ? 'Connect' : 'Continue with';
  const hasAccounts = features.enableGoogleLogin || features.enableAppleLogin || features.enableEmailLogin;
  if (!hasAccounts && !features.enableWalletConnect) {
    return (
      <p className="oid-login-note">
        No sign-in methods are enabled on this page. Ask its owner to enable one.
      </p>
    );
  }
  return (
    <div className="oid-login-stack">
      {props.authTitle && hasAccounts && (
        <h3 className={classes('oid-login-auth-title', props.authTitleClass)}>{props.authTitle}</h3>
      )}
      {shown.map((method, at) => (
        <Fragment key={method}>
          {at > 0 && (method === 'wallet') !== (shown[at - 1] === 'wallet') && (
            <Divider plain className={classes('oid-login-separator', props.separatorClass)}>
              <span className={props.separatorTextClass}>{props.separatorText ?? 'OR'}</span>
            </Divider>
          )}
          {buttonOf(method)}
        </Fragment>
      ))}
      {features.enableEmailLogin && (props.purpose ?? 'signIn') === 'signIn' && (
        <p className="oid-login-note oid-login-new">
          New here?{' '}
          <Button type="link" disabled={isLeaving} onClick={onCreate}>
            Create an account
          </Button>
        </p>
      )}
    </div>
  );

  function buttonOf(method: Appearance['methods'][number]) {
    if (method === 'wallet') {
      return (
        <div className={props.walletRowClass}>
          <Button
            block
            size="large"
            type="primary"
            icon={<WalletOutlined aria-hidden />}
            className={classes(buttonClass, props.walletButtonClass)}
            disabled={isLeaving}
            onClick={onWallet}
          >
            {props.walletButtonText ?? 'Connect Wallet'}
          </Button>
        </div>
      );
    }
    if (method === 'email') {
      return (
        <Button
          block
          size="large"
          icon={<MailOutlined aria-hidden />}
          className={classes(buttonClass, props.emailButtonClass)}
          disabled={isLeaving}
          onClick={onEmail}
        >
          {props.purpose === 'prove' ? 'Enter your password' : `${verb} email`}
        </Button>
      );
    }
    const isGoogle = method === 'google';
    const provider = isGoogle ? 'GOOGLE' : 'APPLE';
    return (
      <Button
        block
        size="large"
        icon={isGoogle ? <GoogleOutlined aria-hidden /> : <AppleFilled aria-hidden />}
        className={classes(buttonClass, isGoogle ? props.googleButtonClass : props.appleButtonClass)}
        loading={leavingFor === provider}
        disabled={isLeaving}
        onClick={() => onProvider(provider)}
      >
        <span>{`${verb} ${isGoogle ? 'Google' : 'Apple'}`}</span>
      </Button>
    );
  }
}
