import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Agent } from 'undici';
import { z } from 'zod';

import { currentTime } from '../../core/time.ts';
import { ChannelDown } from '../channel.ts';
import { callCarrier, documentIn, isSuccess, refuseByStatus } from '../http-call.ts';
import { type FcmOptions, serviceAccountIn } from './options.ts';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ASSERTION_SECONDS = 3_600;
/** Before it expires a token is replaced, but not in the first half of its life. */
const EARLY_SECONDS = 300;
const RETRY_MS = 10_000;
/** The key must be replaced first. */
const REFUSED_RETRY_MS = 60_000;

const Answer = z.object({
  access_token: z
    .string()
    .max(8_000)
    .regex(/^[!-~]+$/),
  expires_in: z.number().positive(),
});

/** The access tokens of a service account (RFC 7523), one at a time, as long as it is valid. */
export class AccessTokens {
  private current?: { token: string; until: number };
  private asking?: Promise<string>;
  private readonly key: KeyObject;
  private readonly email: string;
  private readonly keyId: string | undefined;

  constructor(
    private readonly options: FcmOptions,
    private readonly agent: Agent,
  ) {
    const account = serviceAccountIn(options.serviceAccount)!;
    this.key = createPrivateKey(account.private_key);
    this.email = account.client_email;
    this.keyId = account.private_key_id;
  }

  /** Throws ChannelDown if there is none: no message has left then. */
  get(): Promise<string> {
    if (this.current && currentTime() < this.current.until)
      return Promise.resolve(this.current.token);
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  /** It was refused; another may have replaced it already. */
  forget(token: string): void {
    if (this.current?.token === token) this.current = undefined;
  }

  private async ask(): Promise<string> {
    const { tokenUrl: url, timeoutMs } = this.options;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const callOf = () => {
      const body = new URLSearchParams({ grant_type: GRANT, assertion: this.assertion() });
      return { url, method: 'POST', headers, body: body.toString() } as const;
    };
    // Several messages wait for it: none of their signals ends it.
    const answer = await callCarrier(
      this.agent,
      callOf,
      timeoutMs,
      new AbortController().signal,
      isSuccess,
    ).catch(asDown);
    if (answer.status === 400 || answer.status === 401)
      throw new ChannelDown(`the service account is refused: ${answer.status}`, REFUSED_RETRY_MS);
    try {
      refuseByStatus(answer);
    } catch (error) {
      return asDown(error);
    }
    const { data } = Answer.safeParse(documentIn(answer.body));
    if (!data) throw new ChannelDown('the answer has no access token', RETRY_MS);
    const seconds = Math.max(data.expires_in - EARLY_SECONDS, data.expires_in / 2);
    this.current = { token: data.access_token, until: currentTime() + seconds * 1000 };
    return data.access_token;
  }

  /** What asks for a token, signed by the account. */
  private assertion(): string {
    const now = Math.floor(currentTime() / 1000);
    const header = { alg: 'RS256', typ: 'JWT', ...(this.keyId && { kid: this.keyId }) };
    const claims = {
      iss: this.email,
      scope: SCOPE,
      aud: this.options.tokenUrl,
      iat: now,
      exp: now + ASSERTION_SECONDS,
    };
    const signed = [header, claims].map(encoded).join('.');
    return `${signed}.${sign('sha256', Buffer.from(signed), this.key).toString('base64url')}`;
  }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Whatever became of the question, no message has left. */
function asDown(cause: unknown): never {
  if (cause instanceof ChannelDown) throw cause;
  throw new ChannelDown(`no access token: ${(cause as Error).message}`, RETRY_MS, { cause });
}
