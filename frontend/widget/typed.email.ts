const storedName = 'passport-typed-email';

/** The email typed in this tab before a reload; empty if there is none or the storage is unavailable. */
export function readTypedEmail(): string {
  try {
    return window.sessionStorage.getItem(storedName) ?? '';
  } catch {
    return '';
  }
}

/** Keeps the email for a reload of this tab; does nothing where storage is blocked. */
export function keepTypedEmail(email: string): void {
  try {
    window.sessionStorage.setItem(storedName, email);
  } catch {
    return;
  }
}

/** Removes the stored email after a sign-in. */
export function forgetTypedEmail(): void {
  try {
    window.sessionStorage.removeItem(storedName);
  } catch {
    return;
  }
}
