import { MAX_EXTERNAL_ID } from '@heliograph/contract';
import { type Agent, FormData } from 'undici';
import { z } from 'zod';

import { Hold, type Reply } from '../bots.ts';
import { ChannelDown, type DriverContext, SECRET_MARK, UnknownOutcome } from '../channel.ts';
import { callCarrier, documentIn, type HttpAnswer, refuseByStatus } from '../http-call.ts';
import { meaningOf } from './errors.ts';
import type { TelegramBotOptions } from './options.ts';

const MAX_WORDS = 500;
const REFUSED_MS = 60_000;

const Done = z.object({ ok: z.literal(true), result: z.unknown() });
const Failed = z.object({
  ok: z.literal(false),
  error_code: z.int(),
  description: z.string().catch(''),
  parameters: z.object({ retry_after: z.number().positive() }).optional().catch(undefined),
});

/** Calls of the Bot API. The token is a part of their addresses, which nobody may see. */
export class BotApi {
  private readonly hold = new Hold('Telegram asked to wait');

  constructor(
    private readonly options: TelegramBotOptions,
    private readonly agent: Agent,
  ) {}

  /**
   * Throws ChannelDown, or UnknownOutcome if the call may have had its effect: Telegram does not recognize repeats. `shown` is the body
   * for the log of exchanges.
   */
  async call(
    method: string,
    body: object | FormData,
    { signal, trace }: Pick<DriverContext, 'signal' | 'trace'>,
    shown?: () => object,
  ): Promise<Reply> {
    this.hold.heed();
    const { url, token, timeoutMs } = this.options;
    trace?.(() => ({
      request: `POST ${url}/bot${SECRET_MARK}/${method}\n${JSON.stringify(shown?.() ?? {})}`,
    }));
    const isForm = body instanceof FormData;
    const callOf = () => ({
      url: `${url}/bot${token}/${method}`,
      method: 'POST' as const,
      // That of a form has its boundary.
      headers: { ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    const answer = await callCarrier(this.agent, callOf, timeoutMs, signal, () => true);
    trace?.(() => ({ answer: shownAnswer(answer) }));
    return this.read(answer);
  }

  private read(answer: HttpAnswer): Reply {
    const document = documentIn(answer.body);
    const { data: done } = Done.safeParse(document);
    if (done) return { result: done.result };
    const { data: failed } = Failed.safeParse(document);
    if (!failed) {
      refuseByStatus(answer);
      throw new UnknownOutcome('answered something unreadable');
    }
    const { error_code: code, parameters } = failed;
    const words = failed.description
      .replaceAll(this.options.token, SECRET_MARK)
      .slice(0, MAX_WORDS);
    if (code === 429 && parameters) throw this.hold.begin(parameters.retry_after * 1000);
    // Telegram finds no bot of a token that is written wrong.
    if (code === 401 || code === 404)
      throw new ChannelDown('the token of the bot is refused', REFUSED_MS);
    if (code < 400 || code === 429 || code === 409 || code >= 500)
      refuseByStatus({ ...answer, status: code });
    return { refused: { ...meaningOf(code, words), ...(words && { text: words }) } };
  }
}

const Sent = z.object({ message_id: z.int().positive() });

/** Telegram repeats the message, and tells of the person: only what is needed is logged. */
function shownAnswer({ status, body }: HttpAnswer): string {
  const { data: done } = Done.safeParse(documentIn(body));
  if (!done) return `${status}\n${body}`;
  const { data: sent } = Sent.safeParse(done.result);
  return `${status}\n${JSON.stringify({ ok: true, ...(sent && { result: sent }) })}`;
}

/** The id of the message that was sent. Throws UnknownOutcome. */
export function messageIdIn(result: unknown): string {
  const { data } = Sent.safeParse(result);
  if (!data) throw new UnknownOutcome('answered something unreadable');
  return String(data.message_id).slice(0, MAX_EXTERNAL_ID);
}
