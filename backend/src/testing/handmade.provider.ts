import { calculateJwkThumbprint, CryptoKey, exportJWK, generateKeyPair, JWTPayload, SignJWT } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The portal's requests to the token endpoint. */
export type TokenRequest = Record<string, string>;

/** How the next response of the token endpoint differs from a valid one. */
export interface ResponseOverrides {
  /** Claims that override the valid ones; undefined removes one. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Signs (or not) in a custom way. */
  sign?: (claims: JWTPayload, key: { privateKey: CryptoKey; kid: string }) => Promise<string> | string;
  /** Replaces the whole response. */
  answer?: (response: ServerResponse) => void;
}

/**
 * A minimal OpenID provider that can send invalid responses. Before a valid response it checks the code's PKCE
 * challenge and redirect URI, as a real provider does.
 */
export class HandmadeProvider {
  readonly tokenRequests: TokenRequest[] = [];
  /** For the next response only. */
  next: ResponseOverrides = {};
  private readonly codes = new Map<string, { url: URL; claims: JWTPayload }>();

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    readonly issuer: string,
    private readonly key: { privateKey: CryptoKey; publicKey: CryptoKey; kid: string },
  ) {}

  static async start(port = 0): Promise<HandmadeProvider> {
    const pair = await generateKeyPair('RS256', { extractable: true });
    const kid = await calculateJwkThumbprint(await exportJWK(pair.publicKey));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
    const provider = new HandmadeProvider(server, issuer, { ...pair, kid });
    server.on('request', (request, response) => {
      provider.serve(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    return provider;
  }

  get publicKey(): CryptoKey {
    return this.key.publicKey;
  }

  /**
   * Approves the request at `authorization` as the account of `claims`. Returns the query of the provider's response.
   */
  approve(authorization: URL, claims: JWTPayload): URLSearchParams {
    const code = randomBytes(16).toString('hex');
    this.codes.set(code, { url: authorization, claims });
    return new URLSearchParams({ code, state: authorization.searchParams.get('state') as string });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration') {
      return void send({
        issuer: this.issuer,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        jwks_uri: `${this.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    }
    if (request.url === '/jwks') {
      const { kid } = this.key;
      return void send({
        keys: [{ ...(await exportJWK(this.key.publicKey)), kid, use: 'sig', alg: 'RS256' }],
      });
    }
    if (request.url !== '/token') return void send({}, 404);

    const { claims, header, sign, answer } = this.next;
    this.next = {};
    let body = '';
    for await (const chunk of request) body += chunk;
    const sent: TokenRequest = Object.fromEntries(new URLSearchParams(body));
    this.tokenRequests.push(sent);
    if (answer) return answer(response);

    const known = this.codes.get(sent['code'] ?? '');
    this.codes.delete(sent['code'] ?? '');
    const asked = known?.url.searchParams;
    const challenge = createHash('sha256')
      .update(sent['code_verifier'] ?? '')
      .digest('base64url');
    if (
      !known ||
      asked?.get('redirect_uri') !== sent['redirect_uri'] ||
      asked?.get('code_challenge') !== challenge
    ) {
      return void send({ error: 'invalid_grant' }, 400);
    }
    const now = Math.floor(Date.now() / 1000);
    const payload: JWTPayload = {
      iss: this.issuer,
      aud: asked.get('client_id') as string,
      iat: now,
      exp: now + 300,
      nonce: asked.get('nonce') as string,
      ...known.claims,
      ...claims,
    };
    const { privateKey, kid } = this.key;
    const idToken = sign
      ? await sign(payload, this.key)
      : await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(privateKey);
    send({ access_token: randomBytes(16).toString('hex'), token_type: 'Bearer', id_token: idToken });
  }
}
