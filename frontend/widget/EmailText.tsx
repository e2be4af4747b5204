/** An email that breaks before its `@` on a line that is too short. Copying it gives the plain email. */
export function EmailText({ email }: { email: string }) {
  const at = Math.max(email.lastIndexOf('@'), 0);
  return (
    <>
      {at > 0 && <span className="oid-login-email">{email.slice(0, at)}</span>}
      <wbr />
      <span className="oid-login-email">{email.slice(at)}</span>
    </>
  );
}
