import { type SignedUp, signUp } from './sign.up.js';
import type { Answer, CallOptions, TestApp } from './test.app.js';

/** A project as a tenant, with its owner. */
export interface TestTenant {
  owner: SignedUp;
  code: string;
  name: string;
}

/** Creates a project, of a new owner unless one is given. */
export async function makeTenant(
  portal: TestApp,
  urls: readonly string[],
  { name = 'Example app', owner }: { name?: string; owner?: SignedUp } = {},
): Promise<TestTenant> {
  const of = owner ?? (await signUp(portal));
  const { status, body, text } = await portal.call('POST', '/devportal/v1/project', {
    token: of.token,
    body: { projectName: name, whitelistURL: urls },
  });
  if (status !== 201) throw new Error(`creating a project answered ${status}: ${text}`);
  return { owner: of, code: body.projectId, name };
}

/** A page on `origin` that sends the headers of the public identity client, configured for the tenant `code`. */
export const pageOf = (portal: Pick<TestApp, 'call'>, origin: string, code: string | null = null) => ({
  call: (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    portal.call(method, path, {
      ...options,
      headers: {
        origin,
        ...(code === null ? {} : { 'ocp-apim-subscription-key': code }),
        ...options.headers,
      },
    }),
});
