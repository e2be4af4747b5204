/**
 * An email that breaks before its `@` where the line is too short. Copied, it is the plain address. `end` stays with
 * it, such as the comma after it.
 */
export function EmailText({ email, end = '' }: { email: string; end?: string }) {
  const at = Math.max(email.lastIndexOf('@'), 0);
  return (
    <>
      {at > 0 && <span className="oid-login-email">{email.slice(0, at)}</span>}
      <wbr />
      <span className="oid-login-email">{`${email.slice(at)}${end}`}</span>
    </>
  );
}
