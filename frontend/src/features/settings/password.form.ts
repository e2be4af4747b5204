import { passwordChange, type PasswordChange } from '@orange-id/contract/identity.schema';
import { failureText } from '../../api/failure.text';
import { HttpError } from '../../api/http';
import { fieldRefusal } from '../../api/profile/update.profile';

export type PasswordFieldName = keyof PasswordChange;
export type PasswordProblems = Partial<Record<PasswordFieldName, string>>;

const labels: Record<PasswordFieldName, string> = {
  currentPassword: 'The current password',
  password: 'The new password',
  passwordConfirm: 'The password confirmation',
};
export const passwordFieldNames = Object.keys(labels) as PasswordFieldName[];

/** Checks the input against the contract before it is sent: one sentence per invalid field; empty if all are valid. */
export function problemsOf(change: PasswordChange): PasswordProblems {
  const parsed = passwordChange.safeParse(change);
  const problems: PasswordProblems = {};
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = path[0] as PasswordFieldName;
    problems[name] ??= sentence(name, change[name], message);
  }
  return problems;
}

const sentence = (name: PasswordFieldName, value: string, message: string): string => {
  if (value === '')
    return name === 'passwordConfirm'
      ? 'Enter the new password again.'
      : `Enter ${labels[name].toLowerCase()}.`;
  if (name === 'passwordConfirm') return 'The passwords don’t match.';
  return `${labels[name]} ${message}.`;
};

/** The sentences for a failed request: by field, and `rest` if no field explains it. */
export function refusalOf(error: unknown): { fields: PasswordProblems; rest: string | null } {
  if (!(error instanceof HttpError)) return { fields: {}, rest: failureText(error) };
  if (error.code === 'auth.passwordWrong') {
    return { fields: { currentPassword: 'The current password is wrong.' }, rest: null };
  }
  const fields: PasswordProblems = {};
  const hasFieldErrors = error.code === 'request.invalid' || error.code === 'auth.passwordCommon';
  for (const name of hasFieldErrors ? passwordFieldNames : []) {
    const message = fieldRefusal(error, name);
    if (message && message !== error.serverMessage) fields[name] = `${labels[name]} ${message}.`;
  }
  const isWorded = Object.keys(fields).length > 0;
  return { fields, rest: isWorded ? null : failureText(error) };
}
