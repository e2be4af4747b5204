import { splitAtEmails } from '@orange-id/contract/email.rule';
import { Fragment } from 'react';
import './email-text.css';

/**
 * An email that breaks before its `@` where the line is too short, and inside a word only where a part is longer than
 * the line; never after a hyphen, which reads as if it were not part of the address. Copied, it is the plain address.
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

/** A sentence with emails in it. */
export function TextWithEmails({ text }: { text: string }) {
  return splitAtEmails(text).map((part, place) =>
    place % 2 === 0 ? <Fragment key={place}>{part}</Fragment> : <EmailText key={place} email={part} />,
  );
}

/** Each hyphen stays on a line with what follows it. */
function Unhyphenated({ text }: { text: string }) {
  return text.split(/(-+[^-]?)/).map((part, place) =>
    place % 2 === 0 ? (
      <Fragment key={place}>{part}</Fragment>
    ) : (
      <span key={place} className="email-hyphen">
        {part}
      </span>
    ),
  );
}
