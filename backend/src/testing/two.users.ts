import { SignedUp, signUp } from './sign.up.js';
import { Answer, startTestApp, TestApp } from './test.app.js';

export interface TwoUsers {
  portal: TestApp;
  owner: SignedUp;
  /** Somebody else, to whom nothing of the owner's may show. */
  other: SignedUp;
}

/** The whole application with two accounts. */
export async function startWithTwoUsers(): Promise<TwoUsers> {
  const portal = await startTestApp();
  return { portal, owner: await signUp(portal), other: await signUp(portal) };
}

/** The calls on a list of a user's own things. The portal is asked for late, because it starts after tests are declared. */
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
