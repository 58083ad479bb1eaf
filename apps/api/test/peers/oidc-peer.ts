// The tests of the cabinet, which do not include the declarations of the API's, load this file as well.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../oidc-provider.d.ts" />
import {
  createHmac,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
  type KeyObject,
} from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const CLIENT_ID = 'heliograph';
const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** In seconds. */
const TTL = 600;

interface SignedBy {
  key?: KeyObject;
  alg?: string;
}

/** What a provider keeps. Ids of its models are random, so one store is of all. */
class Memory {
  private static readonly kept = new Map<string, Record<string, unknown>>();

  upsert(id: string, payload: Record<string, unknown>): void {
    Memory.kept.set(id, payload);
  }
  find(id: string): Record<string, unknown> | undefined {
    return Memory.kept.get(id);
  }
  findByUid(uid: string): Record<string, unknown> | undefined {
    return [...Memory.kept.values()].find((one) => one.uid === uid);
  }
  consume(id: string): void {
    Memory.kept.get(id)!.consumed = 1;
  }
  destroy(id: string): void {
    Memory.kept.delete(id);
  }
  revokeByGrantId(grantId: string): void {
    for (const [id, one] of Memory.kept) if (one.grantId === grantId) Memory.kept.delete(id);
  }
}

/** A provider of OpenID Connect on a port of this machine, which signs every visitor in as `person` without asking. */
export class OidcPeer {
  /** The `sub` of whom it signs in; null: it refuses, as when a person cancels. */
  person: string | null = 'ann';
  /** Further claims of whom it signs in. */
  claims: Record<string, unknown> = {};
  /** To which it says that a person has signed out. */
  logoutUri: string | null = null;
  /** Changes the ID token before it is answered. */
  forge: ((token: string) => string | Promise<string>) | null = null;
  readonly clientId = CLIENT_ID;
  readonly secret = randomBytes(24).toString('base64url');
  private readonly key = newKey();
  private readonly redirectUris: string[] = [];
  private readonly server: Server;
  private provider?: Provider;
  url = '';

  constructor() {
    this.server = createServer((request, response) => void this.answer(request, response)).unref();
  }

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** Registers an address to which it returns people. */
  register(redirectUri: string): void {
    this.redirectUris.push(redirectUri);
    const provider = new Provider(this.url, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: this.secret,
          redirect_uris: this.redirectUris,
          token_endpoint_auth_method: 'client_secret_post',
          ...(this.logoutUri && { backchannel_logout_uri: this.logoutUri }),
        },
      ],
      jwks: {
        keys: [{ ...this.key.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
      },
      adapter: Memory,
      ttl: { AccessToken: TTL, Grant: TTL, IdToken: TTL, Interaction: TTL, Session: TTL },
      cookies: { keys: [this.secret] },
      // Its own guard refuses addresses of this machine, and its own time may be too short here.
      fetch: (
        url: string,
        { signal: _, dispatcher: __, ...options }: RequestInit & { dispatcher?: unknown },
      ) => fetch(url, options),
      pkce: { required: () => true },
      claims: { openid: ['sub', 'groups', 'teams'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => Promise.resolve({ sub, email: `${sub}@tea.example`, ...this.claims }),
      }),
    });
    provider.use(async (context, next) => {
      await next();
      const { id_token } = context.body ?? {};
      if (this.forge && context.path === '/token' && typeof id_token === 'string')
        context.body = { ...context.body, id_token: await this.forge(id_token) };
    });
    this.provider = provider;
  }

  /** An ID token with other claims, signed by the key of the provider or by another one. */
  signed(token: string, claims: object, by: SignedBy = {}): string {
    const [, payload = ''] = token.split('.');
    const known = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    return this.token({ ...known, ...claims }, by);
  }

  /** What signs `person` out, with other claims. */
  logoutToken(claims: Record<string, unknown> = {}, by?: SignedBy): string {
    const iat = Math.floor(Date.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const known = { iss: this.url, aud: CLIENT_ID, iat, exp: iat + 120, jti: randomUUID(), events };
    return this.token({ ...known, sub: this.person, ...claims }, by);
  }

  private token(claims: object, { key = this.key, alg = 'RS256' }: SignedBy = {}): string {
    const text = `${encoded({ alg, kid: 'one' })}.${encoded(claims)}`;
    if (alg === 'none') return `${text}.`;
    if (alg === 'HS256')
      return `${text}.${createHmac('sha256', this.secret).update(text).digest('base64url')}`;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }

  otherKey = newKey;

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(() => done()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.provider!;
    if (!request.url!.startsWith('/interaction/')) return provider.callback()(request, response);
    if (this.person === null)
      return provider.interactionFinished(request, response, { error: 'access_denied' });
    const grant = new provider.Grant({ accountId: this.person, clientId: CLIENT_ID });
    grant.addOIDCScope('openid email');
    await provider.interactionFinished(request, response, {
      login: { accountId: this.person },
      consent: { grantId: await grant.save() },
    });
  }
}

/** A browser with its cookies. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  /** `cookie`: the header of another browser. */
  constructor(cookie = '') {
    for (const part of cookie.split('; ').filter(Boolean)) this.add(part);
  }

  /** The `Cookie` header. */
  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  readonly fetch: typeof fetch = async (url, init = {}) => {
    const headers = new Headers(init.headers);
    if (this.cookies.size) headers.set('cookie', this.header);
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) this.add(line);
    return answer;
  };

  private add(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    this.cookies.set(name, value);
  }

  /** Signs the person out at the provider, as its page does. */
  async signOut(provider: string): Promise<void> {
    const page = await (await this.fetch(`${provider}/session/end`)).text();
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    const body = new URLSearchParams({ xsrf, logout: 'yes' });
    const answer = await this.fetch(action, { method: 'POST', body });
    if (answer.status >= 400) throw new Error(`${answer.status} ${await answer.text()}`);
  }

  /** Follows the pages of a provider until it returns to another site; the query with which it does. */
  async follow(page: string): Promise<string> {
    const { origin } = new URL(page);
    let url = new URL(page);
    while (url.origin === origin) {
      const answer = await this.fetch(url.href);
      const location = answer.headers.get('location');
      if (!location) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`);
      url = new URL(location, url);
    }
    return url.search.slice(1);
  }
}
