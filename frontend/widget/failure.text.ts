import { enterEmail, notAnEmail } from '@orange-id/contract/email.rule';
import { limits } from '@orange-id/contract/limits';
import { waitInWords } from '@orange-id/contract/wait.text';
import type { LoginFailure } from './login.failure';

/** The text of a failure: what happened, and what to do about it. */
export interface FailureText {
  title: string;
  help?: string;
}

/**
 * Where the attempt failed: the wallet's name, whether the form requests a reset link or adds an email, and whether the
 * panel offers a single method.
 */
export interface FailurePlace {
  walletName?: string;
  isReset?: boolean;
  isLink?: boolean;
  isOnlyMethod?: boolean;
}

/** The texts of every failure; the service's message is shown where it says more than the code. */
export function failureText(
  failure: LoginFailure,
  { walletName = 'your wallet', isReset = false, isLink = false, isOnlyMethod = false }: FailurePlace = {},
): FailureText {
  switch (failure.code) {
    case 'credentialsInvalid':
      return { title: 'The email or password is wrong.', help: 'Check both, or create an account.' };
    case 'emailTaken':
      return {
        title: 'Another account already uses this email.',
        help: isLink ? 'Use a different email.' : 'Sign in to that account, or use a different email.',
      };
    case 'mailMissing':
      return {
        title: 'This portal can’t send email.',
        help: 'Its operator has to set SMTP_URL first. You can still use other sign-in methods.',
      };
    case 'sessionEnded':
      return { title: 'Your session has ended.', help: 'Reload this page and sign in again.' };
    case 'methodLinked':
      return { title: 'Your account already has this sign-in method.', help: 'Choose another one.' };
    case 'methodsFull':
      return { title: 'You can’t add more sign-in methods.', help: sentence(failure.message) };
    case 'walletUsed':
      return {
        title: 'This wallet is already linked to another account.',
        help: 'Choose another wallet, or sign in with this one.',
      };
    case 'passwordWrong':
      return {
        title: 'The password is wrong.',
        help: isOnlyMethod
          ? 'Try again. Forgot it? Sign out and choose “Forgot password?” on the sign-in page.'
          : 'Try again, or confirm with another method.',
      };
    case 'proofRequired':
      return {
        title: 'Confirm it’s you first.',
        help: `You signed in more than ${waitInWords(limits.freshProofSeconds)} ago.`,
      };
    case 'proofInvalid':
      return {
        title: 'This wallet isn’t linked to your account.',
        help: `Choose a wallet that is${isOnlyMethod ? '' : ', or confirm with another method'}.`,
      };
    case 'browserUnbound':
      return {
        title: 'This browser isn’t signed in to your account.',
        help: 'Sign out, sign in again, then come back.',
      };
    case 'fieldsInvalid':
      return {
        title: 'Check the marked fields.',
        help: failure.fields ? undefined : sentence(failure.message),
      };
    case 'rateLimited': {
      const wait = failure.retryAfterSeconds ? waitInWords(failure.retryAfterSeconds) : 'a minute';
      return isReset
        ? { title: 'Too many emails requested.', help: `Check your inbox, or try again in ${wait}.` }
        : { title: 'Too many attempts.', help: `Try again in ${wait}.` };
    }
    case 'unreachable':
      return {
        title: 'The identity service didn’t respond.',
        help: 'Check your connection, then try again.',
      };
    case 'serviceRefused':
      return { title: 'The identity service rejected the request.', help: sentence(failure.message) };
    case 'answerUnreadable':
      return { title: 'The identity service sent an unexpected response.', help: 'Try again in a minute.' };
    case 'requestExpired':
      return {
        title: 'The wallet request has expired.',
        help: `Try again and sign within ${waitInWords(limits.siweNonceMs / 1000)}.`,
      };
    case 'walletRejected':
      return {
        title: `The request was declined in ${walletName}.`,
        help: `Nothing was signed. Try again and approve it${isOnlyMethod ? '' : ', or choose another sign-in method'}.`,
      };
    case 'walletBusy':
      return {
        title: `${capitalised(walletName)} already has a request open.`,
        help: 'Open the wallet, approve or dismiss that request, then try again.',
      };
    case 'walletMissing':
      return {
        title: `${capitalised(walletName)} is no longer available.`,
        help: 'Check that its extension is enabled, then reload this page.',
      };
    case 'walletFailed':
      return {
        title: `${capitalised(walletName)} couldn’t complete the request.`,
        help: failure.message ?? 'Try again, or choose another wallet.',
      };
    case 'pairingFailed':
      return {
        title: 'We couldn’t connect to wallet apps.',
        help: `Check your connection and try again${isOnlyMethod ? '' : ', or choose another sign-in method'}.`,
      };
    case 'pairingExpired':
      return {
        title: 'The code wasn’t scanned in time.',
        help: 'Try again to get a new one.',
      };
    case 'unexpected':
      return {
        title: 'Something went wrong.',
        help: `Reload this page and try again${isOnlyMethod ? '' : ', or choose another method'}.`,
      };
  }
}

/** The service's message as a sentence that starts with the field's label, except for an invalid email address. */
export const fieldText = (label: string, refusal: string): string =>
  refusal === notAnEmail ? `${enterEmail}.` : withFullStop(`${label} ${refusal}`);

const sentence = (message?: string): string | undefined =>
  message === undefined ? undefined : withFullStop(message);

const withFullStop = (text: string): string => text.replace(/\.?$/, '.');

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
