const storedName = 'passport-typed-email';

/** The result of `access`, or `undefined` if this tab's storage is blocked or full. */
function inStorage<T>(access: (storage: Storage) => T): T | undefined {
  try {
    return access(window.sessionStorage);
  } catch {
    return undefined;
  }
}

/** The email typed in this tab before a reload; empty if there is none or the storage is unavailable. */
export const readTypedEmail = (): string => inStorage((storage) => storage.getItem(storedName)) ?? '';

/** Keeps the email for a reload of this tab; does nothing where storage is blocked. */
export const keepTypedEmail = (email: string): void =>
  inStorage((storage) => storage.setItem(storedName, email));

/** Removes the stored email after a sign-in. */
export const forgetTypedEmail = (): void => inStorage((storage) => storage.removeItem(storedName));
