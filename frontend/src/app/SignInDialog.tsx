import { AppleFilled, GoogleOutlined } from '@ant-design/icons';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { providerTitles } from '@orange-id/contract/sign-in.methods';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useConfig } from '../api/config/config.context';
import { LightButton } from '../ui/LightButton';
import { LightDialog } from './LightDialog';
import { PlaceholderLink } from './PlaceholderLink';
import styles from './sign-in-dialog.module.css';

interface SignInDialogProps {
  state: 'closed' | 'open' | 'leaving';
  onChoose: (provider: ProviderName) => void;
  onClose: () => void;
}

const providers: { name: ProviderName; title: string; icon: ReactNode }[] = [
  { name: 'google', title: providerTitles.google, icon: <GoogleOutlined aria-hidden /> },
  { name: 'apple', title: providerTitles.apple, icon: <AppleFilled aria-hidden /> },
];

/** The sign-in dialog: Google and Apple, and a link to the sign-in page for the other methods. */
export function SignInDialog({ state, onChoose, onClose }: SignInDialogProps) {
  const { features } = useConfig();
  const missing = providers.filter(({ name }) => !features[name]).map(({ title }) => title);
  return (
    <LightDialog
      title="Sign in to Orange ID"
      className={styles.dialog}
      isOpen={state !== 'closed'}
      onClose={onClose}
    >
      <div className={styles.body} data-machine="signInDialog" data-state={state}>
        <p className={styles.words}>Choose your preferred sign-in method to access your developer portal</p>
        {providers.map(({ name, title, icon }) => (
          <LightButton
            key={name}
            block
            size="large"
            icon={icon}
            disabled={state === 'leaving' || !features[name]}
            aria-describedby={features[name] ? undefined : 'sign-in-missing'}
            onClick={() => onChoose(name)}
          >
            Continue with {title}
          </LightButton>
        ))}
        {missing.length > 0 && (
          <p id="sign-in-missing" className="note">
            {missing.join(' and ')} sign-in isn’t available on this portal. Use email or a wallet instead.
          </p>
        )}
        <Link to="/login" onClick={onClose} className={styles.other}>
          Use email or a wallet
        </Link>
        <p className={styles.note}>
          By continuing, you agree to our <PlaceholderLink>Terms of Service</PlaceholderLink> and{' '}
          <PlaceholderLink>Privacy Policy</PlaceholderLink>.
        </p>
      </div>
    </LightDialog>
  );
}
