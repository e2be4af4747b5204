/** Removed at sign-out, as everything whose name begins so. */
const storedName = 'passport-typed-email';

/** The address typed in this tab before it was reloaded; empty where there is none, or no storage. */
export function readTypedEmail(): string {
  try {
    return window.sessionStorage.getItem(storedName) ?? '';
  } catch {
    return '';
  }
}

/** Keeps the address for a reload of this tab. A page that may not store anything goes without. */
export function keepTypedEmail(email: string): void {
  try {
    window.sessionStorage.setItem(storedName, email);
  } catch {
    return;
  }
}

/** Forgets it, once somebody has signed in. */
export function forgetTypedEmail(): void {
  try {
    window.sessionStorage.removeItem(storedName);
  } catch {
    return;
  }
}
