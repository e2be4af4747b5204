import { SignedUp, signUp } from './sign.up.js';
import { Answer, startTestApp, TestApp } from './test.app.js';

export interface TwoUsers {
  portal: TestApp;
  owner: SignedUp;
  /** Another user, who must not see any of the owner's things. */
  other: SignedUp;
}

/** The whole application with two accounts. */
export async function startWithTwoUsers(): Promise<TwoUsers> {
  const portal = await startTestApp();
  return { portal, owner: await signUp(portal), other: await signUp(portal) };
}

/**
 * The requests to a list of a user's own things. Gets the portal lazily, because it starts after tests are declared.
 */
export const callsOn = (
  portal: () => Pick<TestApp, 'call'>,
  paths: { create: string; list: string; remove: string },
) => ({
  create: (user: SignedUp, body: unknown): Promise<Answer> =>
    portal().call('POST', paths.create, { token: user.token, body }),
  list: async (user: SignedUp): Promise<Answer['body']> =>
    (await portal().call('GET', paths.list, { token: user.token })).body,
  remove: (user: SignedUp, id: string): Promise<Answer> =>
    portal().call('DELETE', `${paths.remove}/${id}`, { token: user.token }),
});
