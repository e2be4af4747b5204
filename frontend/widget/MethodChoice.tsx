import { AppleFilled, GoogleOutlined, MailOutlined, WalletOutlined } from '@ant-design/icons';
import { Button, Divider } from 'antd';
import { allFeatures, classes, type LoginPanelProps } from './login.props';
import type { SocialProvider } from './login.types';

interface MethodChoiceProps extends LoginPanelProps {
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
      {features.enableGoogleLogin && (
        <Button
          block
          size="large"
          icon={<GoogleOutlined aria-hidden />}
          className={classes(buttonClass, props.googleButtonClass)}
          loading={leavingFor === 'GOOGLE'}
          disabled={isLeaving}
          onClick={() => onProvider('GOOGLE')}
        >
          {verb} Google
        </Button>
      )}
      {features.enableAppleLogin && (
        <Button
          block
          size="large"
          icon={<AppleFilled aria-hidden />}
          className={classes(buttonClass, props.appleButtonClass)}
          loading={leavingFor === 'APPLE'}
          disabled={isLeaving}
          onClick={() => onProvider('APPLE')}
        >
          {verb} Apple
        </Button>
      )}
      {features.enableEmailLogin && (
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
      )}
      {hasAccounts && features.enableWalletConnect && (
        <Divider plain className={classes('oid-login-separator', props.separatorClass)}>
          <span className={props.separatorTextClass}>{props.separatorText ?? 'OR'}</span>
        </Divider>
      )}
      {features.enableWalletConnect && (
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
      )}
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
}
