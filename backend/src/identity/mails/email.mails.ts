import { limits } from '@orange-id/contract/limits';
import { renderMail } from '../../mail/mail.layout.js';
import type { Mail } from '../../mail/mail.outbox.js';

type Words = Omit<Mail, 'to'>;

const hours = (seconds: number): string => (seconds === 3600 ? '1 hour' : `${seconds / 3600} hours`);

/** Asks the reader of this mailbox whether the account is theirs. */
export const confirmMail = ({ email, href }: { email: string; href: string }): Words =>
  renderMail({
    title: 'Confirm your email address',
    preview: `The link expires in ${hours(limits.confirmLinkSeconds)}.`,
    before: [`Confirm ${email} to use it with your Orange ID account.`],
    button: { href, text: 'Confirm email address' },
    after: [
      `The link works once and expires in ${hours(limits.confirmLinkSeconds)}.`,
      'Didn’t ask for this? Open the link and choose “This wasn’t me”.',
    ],
  });

/** Links to the page where a new password is chosen. */
export const resetMail = ({ email, href }: { email: string; href: string }): Words =>
  renderMail({
    title: 'Reset your password',
    preview: `The link expires in ${hours(limits.resetLinkSeconds)}.`,
    before: [`Someone asked to reset the password for ${email}. If that was you, choose a new one.`],
    button: { href, text: 'Choose a new password' },
    after: [
      `The link works once and expires in ${hours(limits.resetLinkSeconds)}. A new password signs you out everywhere.`,
      'Not you? Ignore this email. Your password stays the same.',
    ],
  });

/** The details in every email about an account: its address, the time, and the page its button opens. */
export interface NoticeDetails {
  email: string;
  at: Date;
  href: string;
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const moment = (at: Date): string => `${day.format(at)} at ${time.format(at)} UTC`;
const toSignIn = (href: string) => ({ href, text: 'Sign in' });
const ifYou = 'If this was you, you don’t need to do anything.';

/** Says how many API keys of an account a reset revoked, and what to do about its projects. */
export const endedKeysText = (count: number): string =>
  `${
    count === 1
      ? 'One API key no longer works. It was created before this address was confirmed, so it may not be yours.'
      : `${count} API keys no longer work. They were created before this address was confirmed, so they may not be yours.`
  } Each affected project has a new key. Don’t use a project you didn’t create.`;

/** What to do about keys that somebody else may have created or know. */
export const reviewKeysText =
  'If there’s a key you didn’t create, or that others may know, delete it in API Keys or update it in My Projects.';

/** Announces a new password of an account, and what to do if somebody else set it. */
export const passwordChangedMail = ({
  email,
  at,
  href,
  by,
  endedKeys = 0,
}: NoticeDetails & { by: 'change' | 'link'; endedKeys?: number }): Words =>
  renderMail({
    title: 'Your password was changed',
    preview: `Changed on ${moment(at)}.`,
    before: [
      `The password for ${email} was changed on ${moment(at)}.`,
      by === 'link'
        ? 'It was reset with a link sent to this address. All sessions have ended.'
        : 'It was changed in Settings with the current password. All other sessions have ended.',
      ...(endedKeys > 0 ? [endedKeysText(endedKeys)] : []),
    ],
    button: toSignIn(href),
    after: [
      ifYou,
      'Not you? Choose “Forgot password?” on the sign-in page. A new password ends all sessions.',
      'After you sign in, go to your profile and remove any sign-in method you didn’t add.',
      ...(endedKeys > 0 ? [] : [`Changing your password doesn’t revoke API keys. ${reviewKeysText}`]),
    ],
  });

/** Why a reset created an account. Reveals nothing about the other account but that it has another sign-in method. */
export const newAccountText = (email: string): readonly string[] => [
  `${email} was never confirmed for the account that used it, so we removed it from that account and created a new account for it.`,
  'If that account is yours, sign in to it with another of its sign-in methods.',
];

/** Announces that a reset created an account, because another one had used the address without confirming it. */
export const newAccountMail = ({ email, at, href }: NoticeDetails): Words =>
  renderMail({
    title: 'You have a new Orange ID account',
    preview: `Created on ${moment(at)}.`,
    before: [
      `A password for ${email} was set on ${moment(at)}, with a link sent to this address.`,
      ...newAccountText(email),
    ],
    button: toSignIn(href),
    after: [
      ifYou,
      'Not you? Choose “Forgot password?” on the sign-in page. A new password ends all sessions.',
    ],
  });

/** Announces that a sign-in method was added or removed. */
export const methodChangedMail = ({
  email,
  at,
  href,
  action,
  method,
}: NoticeDetails & { action: 'added' | 'removed'; method: string }): Words =>
  renderMail({
    title: `A sign-in method was ${action}`,
    preview: `${action === 'added' ? 'Added' : 'Removed'} on ${moment(at)}.`,
    before: [
      `${method.replace(/^./, (first) => first.toUpperCase())} was ${action} ${action === 'added' ? 'to' : 'from'} the Orange ID account for ${email} on ${moment(at)}.`,
      action === 'added' ? 'You can now sign in with it.' : 'You can no longer sign in with it.',
    ],
    button: { href, text: 'Review sign-in methods' },
    after: [
      ifYou,
      'Not you? Sign in, check the sign-in methods on your profile and sign out everywhere in Settings. If you have a password, change it.',
    ],
  });

const undoDays = limits.restoreLinkSeconds / 86_400;
const undoText = `The link works for ${undoDays} days. It also signs the account out everywhere.`;

/** Announces that another address replaces this one once it is confirmed. `undo` is the link that keeps this one. */
export const contactAskedMail = ({ email, at, undo }: NoticeDetails & { undo: string }): Words =>
  renderMail({
    title: 'Your email is about to change',
    preview: `Asked for on ${moment(at)}.`,
    before: [
      `On ${moment(at)}, someone signed in to the Orange ID account for ${email} entered a new email in Settings.`,
      'The new one replaces this one once it’s confirmed. Until then, messages come here.',
    ],
    button: { href: undo, text: 'This wasn’t me' },
    after: [ifYou, `Not you? Choose “This wasn’t me” to keep ${email}. ${undoText}`],
  });

/**
 * Announces that the profile of an account has another address, and what to do if somebody else changed it. `undo` is
 * the link that restores this one; null if its reader must not.
 */
export const contactReplacedMail = ({
  email,
  at,
  href,
  undo,
}: NoticeDetails & { undo: string | null }): Words =>
  renderMail({
    title: 'Your contact email was replaced',
    preview: `Replaced on ${moment(at)}.`,
    before: [
      `${email} is no longer the contact email of your Orange ID account. It was replaced on ${moment(at)}.`,
      'Your sign-in methods haven’t changed.',
    ],
    button: undo === null ? toSignIn(href) : { href: undo, text: 'This wasn’t me' },
    after:
      undo === null
        ? [
            ifYou,
            'Not you? Sign in, restore your email in Settings, remove any sign-in method you didn’t add and sign out everywhere. If you have a password, change it.',
          ]
        : [
            ifYou,
            `Not you? Choose “This wasn’t me” to restore ${email}. ${undoText}`,
            'Then sign in and remove any sign-in method you didn’t add. If you have a password, change it.',
          ],
  });

/** Announces that an account was deleted, until when it can be kept, and how. */
export const accountDeletedMail = ({ email, at, href, dueAt }: NoticeDetails & { dueAt: Date }): Words =>
  renderMail({
    title: 'Your account was deleted',
    preview: `You can keep it until ${day.format(dueAt)}.`,
    before: [
      `The Orange ID account for ${email} was deleted on ${moment(at)}. All sessions have ended, and its API keys and projects no longer work.`,
      `Its data is removed on ${moment(dueAt)}. To keep the account, sign in before then and choose “Keep my account”.`,
    ],
    button: toSignIn(href),
    after: [
      ifYou,
      'Not you? Sign in, keep the account, and remove any sign-in method you didn’t add. If you have a password, change it.',
    ],
  });

/** Announces that a deleted account is kept. */
export const accountKeptMail = ({ email, at, href }: NoticeDetails): Words =>
  renderMail({
    title: 'Your account is kept',
    preview: `Kept on ${moment(at)}.`,
    before: [
      `Someone signed in to the deleted Orange ID account for ${email} on ${moment(at)} and chose to keep it.`,
      'Its API keys and projects work again.',
    ],
    button: toSignIn(href),
    after: [ifYou, 'Not you? Sign in, change your password and delete the account again in Settings.'],
  });

/** Announces that the archive of the user's data can be downloaded. */
export const archiveReadyMail = ({ email, at, href }: NoticeDetails): Words =>
  renderMail({
    title: 'Your data is ready',
    preview: `Download it within ${hours(limits.archiveKeptSeconds)}.`,
    before: [
      `The data of the Orange ID account for ${email} was prepared on ${moment(at)}. You can download it in Settings for ${hours(limits.archiveKeptSeconds)}.`,
    ],
    button: { href, text: 'Open Settings' },
    after: ['Didn’t ask for this? Sign in, sign out everywhere in Settings and change your password.'],
  });
