import { MAX_EXTERNAL_ID } from '@heliograph/contract';
import { z } from 'zod';

import {
  ChannelDown,
  defineDriver,
  type Driver,
  type DriverContext,
  type OpenContext,
  type OutgoingMessage,
  type SubmitResult,
  UnknownOutcome,
} from '../channel.ts';
import { tailOf } from '../exchanges.ts';
import {
  callCarrier,
  carrierAgent,
  documentIn,
  type HttpAnswer,
  refuseByStatus,
} from '../http-call.ts';
import { sendOneByOne } from '../one-by-one.ts';
import { doorOf } from './callbacks.ts';
import { meaningOf } from './errors.ts';
import { TelegramGatewayOptions, TTL } from './options.ts';

/** Messages of one call, which go one by one. */
const MAX_BATCH = 20;
/** After the time of a code its report may be late by so much. */
const REPORTED_WITHIN_SECONDS = 3_600;
const MAX_NAME = 60;

const PHONE = /^\+\d{6,15}$/;
const CODE = /^\d{4,8}$/;

/** One-time codes to the Telegram of a phone number, over the Telegram Gateway. */
export const telegramGatewayDriver = defineDriver({
  name: 'telegram-gateway',
  types: ['telegramcode'],
  options: TelegramGatewayOptions,
  describe: ({ token, connections, ttl }) => ({
    deduplicates: false,
    maxBatch: MAX_BATCH,
    concurrency: connections,
    isQueried: false,
    expiresAfter: () => ttl + REPORTED_WITHIN_SECONDS,
    callback: doorOf(token),
  }),
  open: (options, context) => new TelegramGatewayChannel(options, context),
});

const Accepted = z.object({
  ok: z.literal(true),
  result: z.object({ request_id: z.string().min(1).max(MAX_EXTERNAL_ID) }),
});
const Refused = z.object({ ok: z.literal(false), error: z.string().min(1) });

class TelegramGatewayChannel implements Driver {
  private readonly agent;

  constructor(
    private readonly options: TelegramGatewayOptions,
    { outbound }: OpenContext,
  ) {
    this.agent = carrierAgent(outbound, options);
  }

  send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]> {
    return sendOneByOne(batch, context, (message) => this.sendOne(message, context));
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  /** Throws ChannelDown or UnknownOutcome of this message. */
  private async sendOne(
    message: OutgoingMessage,
    { signal, trace }: DriverContext,
  ): Promise<SubmitResult> {
    const { reference, recipient, payload } = message;
    const code = payload.text ?? '';
    if (!PHONE.test(recipient)) return { reference, result: 'rejected', code: 'invalid_recipient' };
    if (!CODE.test(code)) return { reference, result: 'rejected', code: 'invalid_payload' };
    const { url, token, callbackUrl, username, timeoutMs } = this.options;
    const body = {
      phone_number: recipient,
      code,
      ...(username && { sender_username: username }),
      callback_url: callbackUrl,
      payload: reference,
      ttl: this.ttlOf(message),
    };
    const address = `${url}/sendVerificationMessage`;
    trace?.(() => {
      const shown = { ...body, phone_number: tailOf(recipient), code: `[${code.length}]` };
      return { request: `POST ${address}\n${JSON.stringify(shown)}` };
    });
    const callOf = () => ({
      url: address,
      method: 'POST' as const,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await callCarrier(this.agent, callOf, timeoutMs, signal, () => true);
    trace?.(() => ({ answer: `${answer.status}\n${answer.body}` }));
    return { reference, ...resultOf(answer) };
  }

  /** Seconds: those of the channel, or of the message if it has fewer, as far as Telegram allows. */
  private ttlOf({ validity }: OutgoingMessage): number {
    const seconds = Math.floor(validity?.seconds ?? TTL.max);
    return Math.max(TTL.min, Math.min(this.options.ttl, seconds));
  }
}

/** Errors have a name, whatever the status. */
function resultOf(answer: HttpAnswer) {
  const document = documentIn(answer.body);
  const { data: refused } = Refused.safeParse(document);
  const meaning = refused && meaningOf(refused.error);
  if (typeof meaning === 'object')
    throw new ChannelDown(`refused: ${refused!.error.slice(0, MAX_NAME)}`, meaning.down, {
      isAsked: meaning.isAsked ?? false,
    });
  // A refusal whose name is not known is still one, unless the status says that it concerns more than this code.
  if (!meaning && (!refused || [401, 403, 429].includes(answer.status) || answer.status >= 500))
    refuseByStatus(answer);
  if (refused) {
    const carrierCode = refused.error.slice(0, MAX_NAME);
    return { result: 'rejected' as const, code: meaning ?? ('rejected' as const), carrierCode };
  }
  const { data: accepted } = Accepted.safeParse(document);
  if (!accepted) throw new UnknownOutcome('answered something unreadable');
  return { result: 'accepted' as const, externalIds: [accepted.result.request_id] };
}
