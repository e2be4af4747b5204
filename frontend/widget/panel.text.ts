import type { Destination, LoginPurpose } from './login.types';

const otherMethods: Record<LoginPurpose, string> = {
  signIn: 'Other sign-in methods',
  link: 'Connect another method',
  prove: 'Confirm with another method',
};

/** The label of the button that returns from a wallet step to the choice of methods, which may be a single one. */
export const toChoice = (purpose: LoginPurpose, isOnlyMethod: boolean): string =>
  isOnlyMethod ? 'Back' : otherMethods[purpose];

interface Shown {
  purpose: LoginPurpose;
  destination: Destination | null;
  hasWallets: boolean;
  /** Whether the QR code of a pairing is shown. */
  hasCode: boolean;
}

/** The title of the view for `state`; null if it is the page's own title. */
export function panelTitle(state: string, shown: Shown): string | null {
  const [step, inner] = state.split('.');
  switch (step) {
    case 'enteringEmail':
      return emailTitle(inner, shown.purpose);
    case 'waitingForWindow':
      return 'Continue in the other window';
    case 'choosingWallet':
      return shown.hasWallets ? 'Choose a wallet' : 'No wallet found in this browser';
    case 'pairingWallet':
      return shown.hasCode ? 'Scan this QR code with your wallet' : 'Preparing the QR code';
    case 'connectingWallet':
      return 'Approve the connection';
    case 'signingMessage':
      return 'Sign the message';
    case 'verifying':
      return 'Checking the signature';
    case 'redirecting':
      return arrivalTitle(shown);
    default:
      return null;
  }
}

function emailTitle(inner: string | undefined, purpose: LoginPurpose): string | null {
  switch (inner) {
    case 'register':
    case 'registering':
      return purpose === 'link' ? 'Connect email and password' : 'Create your account';
    case 'forgetting':
    case 'requestingReset':
      return 'Forgot your password?';
    case 'resetSent':
      return 'Check your email';
    default:
      return purpose === 'prove' ? 'Enter your password' : null;
  }
}

/** While the page is redirected to a provider, the panel still shows the choice. */
function arrivalTitle({ purpose, destination }: Shown): string | null {
  if (destination?.kind === 'proven') return 'Confirmed';
  if (destination?.kind !== 'callback') return null;
  return purpose === 'link' ? 'Connected to your account' : 'Signed in';
}
