/**
 * An email that breaks before its `@` on a line that is too short. Copying it gives the plain email. `end` never wraps
 * away from it, such as a comma after it.
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
