import { splitAtEmails } from '@orange-id/contract/email.rule';
import { Fragment } from 'react';
import styles from './email-text.module.css';

/**
 * An email that wraps before its `@`, and inside a word only if a part is longer than the line. It never wraps after a
 * hyphen, which would look as if it weren't part of the address. Copying yields the plain address.
 */
export function EmailText({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  if (at < 1) return <>{email}</>;
  return (
    <>
      <Unhyphenated text={email.slice(0, at)} />
      <wbr />
      <Unhyphenated text={email.slice(at)} />
    </>
  );
}

/** Text that contains emails. */
export function TextWithEmails({ text }: { text: string }) {
  return splitAtEmails(text).map((part, place) =>
    place % 2 === 0 ? <Fragment key={place}>{part}</Fragment> : <EmailText key={place} email={part} />,
  );
}

/** Keeps each hyphen on the same line as the next character. */
function Unhyphenated({ text }: { text: string }) {
  return text.split(/(-+[^-]?)/).map((part, place) =>
    place % 2 === 0 ? (
      <Fragment key={place}>{part}</Fragment>
    ) : (
      <span key={place} className={styles.hyphen}>
        {part}
      </span>
    ),
  );
}
