import { Logger } from '@nestjs/common';
import { enterEmail } from '@orange-id/contract/email.rule';
import { emailAddress } from '@orange-id/contract/identity.schema';
import { providers } from '@orange-id/contract/sign-in.methods';
import type { ProviderName } from '@orange-id/contract/sign-in.methods';
import { profileFields } from '@orange-id/contract/profile.fields';
import { checkName } from '@orange-id/contract/text.rule';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { Environment } from '../config/environment.js';
import { allowForms } from '../http/form.action.js';
import { isLocalRequest } from '../http/local.request.js';
import { PortalError } from '../http/portal.error.js';
import { noticePage, sendPage } from '../http/notice.page.js';
import { accountPage } from './account.page.js';
import { BuiltInAccounts } from './built-in.accounts.js';
import { builtInClientId, builtInPath } from './built-in.clients.js';

/** The provider's routes that a sign-in needs. */
const protocolRoutes = [
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/auth'],
  ['GET', '/auth/:uid'],
  ['GET', '/jwks'],
  ['POST', '/token'],
] as const;

type Form = Partial<Record<string, string>>;

/**
 * The built-in OpenID provider below /dev/openid, with its account page. Created at its first use; throws in
 * production.
 */
export async function devOpenidPlugin(
  instance: FastifyInstance,
  { environment }: { environment: Environment },
): Promise<void> {
  if (environment.isProduction) throw new Error('The built-in OpenID provider does not run in production');
  const logger = new Logger('BuiltInOpenID');
  const accounts = new BuiltInAccounts();
  let made: Promise<Provider> | null = null;
  const providerOf = () =>
    (made ??= import('./built-in.provider.js').then(async ({ builtInProvider }) => {
      const provider = await builtInProvider(environment, accounts);
      provider.on('server_error', (_, error) => logger.error(error.stack ?? error.message));
      return provider;
    }));

  instance.addHook('onRequest', async (request, reply) => {
    // The provider accepts any identity without a check, so it serves only the user of this machine.
    if (!isLocalRequest(request)) {
      const { body } = new PortalError('route.notFound');
      return reply.status(body.statusCode).send(body);
    }
    // The redirects that follow its forms may end at any app.
    allowForms(reply, ['https:', 'http:']);
    void reply.header('cache-control', 'no-store');
  });

  const page = (reply: FastifyReply, html: string, status = 200) => {
    sendPage(reply, html, { status });
    return reply;
  };

  /** The details of a sign-in request; null if the browser has none for this URL. */
  const asked = async (request: FastifyRequest, reply: FastifyReply) => {
    const provider = await providerOf();
    try {
      const { params } = await provider.interactionDetails(request.raw, reply.raw);
      const name = providers.find((each) => builtInClientId(each) === params['client_id']) as ProviderName;
      return { provider, name };
    } catch (error) {
      if ((error as { error?: string }).error !== 'invalid_request') throw error;
      return null;
    }
  };
  const gone = (reply: FastifyReply) =>
    page(
      reply,
      noticePage({
        title: 'This sign-in can’t continue',
        paragraphs: ['It was already finished or took too long. Go back and start again.'],
        link: { href: '/login', text: 'Back to sign-in' },
      }),
      400,
    );

  instance.get('/account/:uid', async (request, reply) => {
    const about = await asked(request, reply);
    if (!about) return gone(reply);
    const { name: provider } = about;
    return page(reply, accountPage({ provider, action: request.url, accounts: accounts.of(provider) }));
  });

  instance.post<{ Body: Form }>('/account/:uid', { config: { readsForms: true } }, async (request, reply) => {
    const about = await asked(request, reply);
    if (!about) return gone(reply);
    const form = request.body ?? {};
    const finish = async (result: Parameters<Provider['interactionResult']>[2]) =>
      reply.redirect(await about.provider.interactionResult(request.raw, reply.raw, result), 303);

    if (form['cancel']) {
      return finish({ error: 'access_denied', error_description: 'cancelled on the account page' });
    }
    const chosen = accounts.get(form['account'] ?? '');
    if (chosen) return finish({ login: { accountId: chosen.subject } });
    const email = emailAddress.safeParse(form['email']);
    if (!email.success) {
      const known = accounts.of(about.name);
      return page(
        reply,
        accountPage({
          provider: about.name,
          action: request.url,
          accounts: known,
          problem: `${enterEmail}.`,
        }),
        400,
      );
    }
    const name = checkName(form['name'] ?? '', profileFields.displayName.maxCharacters);
    const { subject } = accounts.put({
      provider: about.name,
      email: email.data,
      name: name.ok ? name.name : null,
      isEmailVerified: form['verified'] !== undefined,
    });
    return finish({ login: { accountId: subject } });
  });

  await instance.register(async (protocol) => {
    // The provider reads bodies itself.
    protocol.removeAllContentTypeParsers();
    protocol.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const [method, url] of protocolRoutes) {
      protocol.route({
        method,
        url,
        handler: async (request, reply) => {
          const provider = await providerOf();
          reply.hijack();
          for (const [name, value] of Object.entries(reply.getHeaders())) {
            if (value !== undefined) reply.raw.setHeader(name, value);
          }
          await provider.callback()(mounted(request.raw, environment), reply.raw);
        },
      });
    }
  });
}

/**
 * The request as the provider expects it: relative to its root, and at the configured address whatever the Host header
 * says.
 */
function mounted(
  request: IncomingMessage & { originalUrl?: string },
  { PUBLIC_URL }: Environment,
): IncomingMessage {
  const { host, protocol } = new URL(PUBLIC_URL);
  const { url = '' } = request;
  request.originalUrl = url;
  request.url = url.slice(builtInPath.length) || '/';
  request.headers.host = host;
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  // Drops the provider's own session, so that every sign-in shows the account page.
  const cookies = (request.headers.cookie ?? '').split(/;\s*/);
  request.headers.cookie = cookies.filter((cookie) => !cookie.startsWith('_session')).join('; ');
  return request;
}
