import { MAX_EXTERNAL_ID } from '@heliograph/contract';
import { type Agent, FormData } from 'undici';
import { z } from 'zod';

import { retryAfterMs } from '../../core/http/retry-after.ts';
import { Hold, type Reply } from '../bots.ts';
import { ChannelDown, type DriverContext, SECRET_MARK, UnknownOutcome } from '../channel.ts';
import {
  callCarrier,
  documentIn,
  type HttpAnswer,
  type HttpCall,
  isSuccess,
  refuseByStatus,
} from '../http-call.ts';
import { secretOf } from './callbacks.ts';
import { meaningOf } from './errors.ts';
import type { MaxBotOptions } from './options.ts';

const MAX_WORDS = 500;
const REFUSED_MS = 60_000;

type Context = Pick<DriverContext, 'signal' | 'trace'>;

const Place = z.object({ url: z.url({ protocol: /^https?$/ }).max(4_000) });
const isSecure = (url: string) => url.startsWith('https:');
const Failed = z.object({ code: z.string().max(200).catch(''), message: z.string().catch('') });

/** Calls of the Bot API of MAX. Source: https://github.com/max-messenger/api-schema */
export class MaxApi {
  private readonly hold = new Hold('MAX asked to wait');

  constructor(
    private readonly options: MaxBotOptions,
    private readonly agent: Agent,
  ) {}

  /**
   * Throws ChannelDown, or UnknownOutcome if the call may have had its effect: MAX does not recognize repeats. `path` has the query,
   * `shown` is the call for the log of exchanges.
   */
  async post(
    path: string,
    body: string | undefined,
    { signal, trace }: Context,
    shown?: () => { path: string; body: object },
  ): Promise<Reply> {
    this.hold.heed();
    const { url, token } = this.options;
    trace?.(() => {
      const call = shown?.() ?? { path, body: {} };
      return { request: `POST ${url}${call.path}\n${JSON.stringify(call.body)}` };
    });
    const answer = await this.call(signal, () => ({
      url: `${url}${path}`,
      method: 'POST',
      headers: {
        authorization: token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body,
    }));
    trace?.(() => ({ answer: shownAnswer(answer) }));
    return this.read(answer);
  }

  /**
   * Uploads to the address that MAX has named in `place`: on another host, which is not told the token. Throws ChannelDown, or
   * UnknownOutcome.
   */
  async upload(place: unknown, form: FormData, { signal, trace }: Context): Promise<Reply> {
    const { data } = Place.safeParse(place);
    // What goes over TLS does not leave it.
    if (!data || (isSecure(this.options.url) && !isSecure(data.url)))
      throw new UnknownOutcome('named no address for the upload');
    trace?.(() => ({ request: `POST ${new URL(data.url).origin}/${SECRET_MARK}` }));
    const answer = await this.call(signal, () => ({
      url: data.url,
      method: 'POST',
      headers: {},
      body: form,
    }));
    const { status, body } = answer;
    trace?.(() => ({ answer: String(status) }));
    const document = documentIn(body);
    if (isSuccess(status) && typeof document === 'object') return { result: document };
    if (status < 400 || status === 429 || status >= 500)
      throw new UnknownOutcome(`the upload was answered ${status}`);
    return { refused: { code: 'invalid_payload', carrierCode: status } };
  }

  private call(signal: AbortSignal, callOf: () => HttpCall): Promise<HttpAnswer> {
    return callCarrier(this.agent, callOf, this.options.timeoutMs, signal, () => true);
  }

  private read(answer: HttpAnswer): Reply {
    const { status, retryAfter, body } = answer;
    const document = documentIn(body);
    if (isSuccess(status)) {
      if (typeof document === 'object' && document !== null) return { result: document };
      throw new UnknownOutcome('answered something unreadable');
    }
    if (status === 401) throw new ChannelDown('the token of the bot is refused', REFUSED_MS);
    const asked = status === 429 ? retryAfterMs(String(retryAfter ?? '')) : null;
    if (asked !== null) throw this.hold.begin(asked);
    const { data: failed } = Failed.safeParse(document);
    if (!failed || status < 400 || status === 405 || status === 429 || status >= 500) {
      refuseByStatus(answer);
      throw new UnknownOutcome('answered something unreadable');
    }
    const code = this.shown(failed.code);
    const words = this.shown(failed.message);
    return { refused: { ...meaningOf(status, code, words), ...(words && { text: words }) } };
  }

  /** Words of MAX without the secrets of the bot, at most `MAX_WORDS` characters. */
  shown(words: string): string {
    const { token } = this.options;
    return [token, secretOf(token)]
      .reduce((shown, secret) => shown.replaceAll(secret, SECRET_MARK), words)
      .slice(0, MAX_WORDS);
  }
}

const Sent = z.object({
  message: z.object({ body: z.object({ mid: z.string().min(1).max(MAX_EXTERNAL_ID) }) }),
});

/** MAX repeats the message, and tells of the person: only the id is logged. */
function shownAnswer({ status, body }: HttpAnswer): string {
  if (!isSuccess(status)) return `${status}\n${body}`;
  const { data: sent } = Sent.safeParse(documentIn(body));
  return `${status}\n${JSON.stringify(sent ?? {})}`;
}

/** The id of the message that was sent. Throws UnknownOutcome. */
export function messageIdIn(result: unknown): string {
  const { data } = Sent.safeParse(result);
  if (!data) throw new UnknownOutcome('answered something unreadable');
  return data.message.body.mid;
}
