import { Injectable } from '@nestjs/common';
import { Email, type GroupRole, type Role } from '@heliograph/contract';
import { cutText } from '@heliograph/domain';
import type { Configuration, CustomFetch } from 'openid-client';
import { type Agent, fetch } from 'undici';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { readUpTo, unavailable } from '../../core/http/service-client.ts';
import {
  IdentityProvidersService,
  purposeOf,
} from '../identity-providers/identity-providers.service.ts';
import { roleOf } from './group-roles.ts';

/** A provider that takes longer for a call is unavailable. */
const TIMEOUT_SECONDS = 10;
const CONNECT_MS = 5000;
/** Documents of providers have some kilobytes. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Clocks of providers differ by so much. */
const TOLERANCE_SECONDS = 30;
/** A logout token is delivered within this time. */
const MAX_LOGOUT_AGE = '10 minutes';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures by a key that only the provider has. */
const SIGNED_BY = [
  'EdDSA',
  ...['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((n) => `${kind}${n}`)),
];
const MAX_NAME = 200;
const MAX_SUBJECT = 255;

/** Loaded with the first sign-in. */
const openid = () => import('openid-client');

export interface Issuer {
  id: string;
  issuer: string;
  clientId: string;
  /** Sealed. */
  secret: Buffer;
  roles: GroupRole[];
  groupsClaim: string;
  /** In microseconds, as the database writes it. */
  changedAt: string;
}

/** What is asked of a provider, and expected in its answer. */
export interface Asked {
  state: string;
  nonce: string;
  verifier: string;
}

/** A person whom a provider has confirmed. */
export interface Confirmed {
  subject: string;
  name: string;
  /** Unless the provider says that it is unverified. */
  email?: string | undefined;
  /** That its groups give by the roles that the provider had at `changedAt`. */
  role?: Role | undefined;
  changedAt: string;
}

/**
 * The calls of identity providers: discovery, and the Authorization Code flow with PKCE. Source: OpenID Connect Core 1.0, 3.1; RFC 7636;
 * RFC 9207. Calls go to allowed addresses only. A provider that does not answer is `unavailable`.
 */
@Injectable()
export class OidcClient {
  private readonly agent: Agent;

  constructor(
    private readonly providers: IdentityProvidersService,
    private readonly box: SecretBox,
  ) {
    this.agent = providers.outbound.agent({
      connectTimeoutMs: CONNECT_MS,
      // Shorter than the keep-alive of providers: a call over a connection that closes meanwhile has no answer.
      keepAliveTimeout: 2_000,
      keepAliveMaxTimeout: 2_000,
      maxResponseSize: MAX_RESPONSE_BYTES,
    });
  }

  /** The page of the provider, and what to keep until it answers. */
  async begin(issuer: Issuer): Promise<{ url: string; asked: Asked }> {
    const client = await openid();
    const { configuration } = await this.discover(issuer);
    const asked = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.providers.redirectUri(issuer.id),
      scope: 'openid email',
      state: asked.state,
      nonce: asked.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(asked.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, asked };
  }

  /** The person whom the provider confirms in its answer; null if it refuses, or its answer is not that to what was asked. */
  async finish(issuer: Issuer, answer: string, asked: Asked): Promise<Confirmed | null> {
    const client = await openid();
    const { configuration, calls } = await this.discover(issuer);
    const returned = new URL(this.providers.redirectUri(issuer.id));
    returned.search = answer;
    try {
      const tokens = await client.authorizationCodeGrant(configuration, returned, {
        expectedState: asked.state,
        expectedNonce: asked.nonce,
        pkceCodeVerifier: asked.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const { sub, email, preferred_username, name } = claims;
      if (sub === '' || sub.length > MAX_SUBJECT || !isPlain(sub)) return null;
      const texts = [email, preferred_username, name, sub];
      const shown = texts.find((text) => typeof text === 'string' && text !== '') as string;
      return {
        subject: sub,
        name: cutText(shown.toWellFormed().replace(/\p{Cc}/gu, ' '), MAX_NAME),
        email: emailOf(claims),
        role: roleOf(issuer.roles, claims[issuer.groupsClaim]),
        changedAt: issuer.changedAt,
      };
    } catch {
      if (calls.failure) throw unavailable(calls.failure);
      return null;
    }
  }

  /**
   * The person whom a logout token signs out, and until when its sign-ins end; null for a token that is none of the provider, or names no
   * person. Source: OpenID Connect Back-Channel Logout 1.0, 2.4 and 2.6. A token that comes again ends no later session.
   */
  async signedOut(issuer: Issuer, token: string): Promise<{ subject: string; at: Date } | null> {
    const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose');
    const { configuration, calls } = await this.discover(issuer);
    const { issuer: by, jwks_uri } = configuration.serverMetadata();
    const keys = URL.parse(jwks_uri ?? '');
    if (!keys || (keys.protocol !== 'https:' && !isLocal(issuer))) return null;
    try {
      const found = createRemoteJWKSet(keys, {
        timeoutDuration: TIMEOUT_SECONDS * 1000,
        [customFetch]: calls.fetch,
      });
      const { payload } = await jwtVerify(token, found, {
        issuer: by,
        audience: issuer.clientId,
        algorithms: SIGNED_BY,
        clockTolerance: TOLERANCE_SECONDS,
        maxTokenAge: MAX_LOGOUT_AGE,
        requiredClaims: ['sub', 'jti'],
      });
      const { sub, iat, events, nonce } = payload as typeof payload & { events?: unknown };
      const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
      if (!isLogout || nonce !== undefined || typeof sub !== 'string' || !isPlain(sub)) return null;
      return { subject: sub, at: new Date((iat! + TOLERANCE_SECONDS) * 1000) };
    } catch {
      if (calls.failure) throw unavailable(calls.failure);
      return null;
    }
  }

  /** Throws `unavailable`. */
  private async discover(provider: Issuer): Promise<{
    configuration: Configuration;
    calls: Calls;
  }> {
    const { id, issuer, clientId, secret } = provider;
    const client = await openid();
    const opened = await this.box.open(secret, purposeOf(id));
    const calls = new Calls(this.agent);
    try {
      const configuration = await client.discovery(
        new URL(issuer),
        clientId,
        { [client.clockTolerance]: TOLERANCE_SECONDS },
        // As the specification has it, servers that name no method take the header.
        (server, ...others) => {
          const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
          const isPosted = methods.includes('client_secret_post');
          const way = isPosted ? client.ClientSecretPost : client.ClientSecretBasic;
          way(opened)(server, ...others);
        },
        {
          timeout: TIMEOUT_SECONDS,
          [client.customFetch]: calls.fetch,
          // Signatures are verified although the tokens come from the provider itself.
          execute: [
            client.enableNonRepudiationChecks,
            ...(isLocal(provider) ? [client.allowInsecureRequests] : []),
          ],
        },
      );
      return { configuration, calls };
    } catch (error) {
      throw unavailable(calls.failure ?? (error as Error).message);
    }
  }
}

/** Providers without TLS are on the same machine. */
const isLocal = ({ issuer }: Issuer): boolean => issuer.startsWith('http:');

/** What is stored as it is, and so tells one person from another. */
const isPlain = (subject: string): boolean => subject.isWellFormed() && !/\p{Cc}/u.test(subject);

/** Some providers write the flag as a text. */
function emailOf({
  email,
  email_verified: isVerified,
}: Record<string, unknown>): string | undefined {
  if (isVerified === false || isVerified === 'false') return undefined;
  return Email.safeParse(email).data;
}

/** The calls of one step, and why one of them got no answer. */
class Calls {
  failure: string | undefined;

  constructor(private readonly agent: Agent) {}

  readonly fetch: CustomFetch = async (url, options) => {
    try {
      const response = await fetch(url, { ...(options as object), dispatcher: this.agent });
      if (Math.floor(response.status / 100) === 5) this.failure = `status ${response.status}`;
      // What was packed may be a thousand times as long.
      const bytes = await readUpTo(MAX_RESPONSE_BYTES, response);
      const { status, headers } = response;
      return new Response(bytes.length ? bytes : null, { status, headers: [...headers] });
    } catch (error) {
      const { cause, message } = error as Error;
      this.failure = (cause as { code?: string } | undefined)?.code ?? message;
      throw error;
    }
  };
}
