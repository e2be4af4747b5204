import { limits } from '@orange-id/contract/limits';
import { failureText } from '../api/failure.text';
import { HttpError } from '../api/http';

const hours = limits.confirmLinkSeconds / 3600;

/** What was sent, to the one or two emails of an account. */
export const linksSent = ([email, other]: readonly string[]): string =>
  other === undefined
    ? `We sent a new link to ${email}. It works once and expires in ${hours} hours.`
    : `We sent new links to ${email} and ${other}. Each works once and expires in ${hours} hours.`;

/** Why no link was sent. */
export const linksNotSent = (error: unknown): string =>
  error instanceof HttpError && error.code === 'auth.mailNotConfigured'
    ? 'This portal can’t send email. Its operator has to set SMTP_URL first.'
    : failureText(error);
