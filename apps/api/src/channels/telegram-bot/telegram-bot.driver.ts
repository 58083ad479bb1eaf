import { isBlank } from '@heliograph/domain';

import { assumedDelivered, expiryAfter } from '../assumed-delivery.ts';
import {
  ChannelDown,
  defineDriver,
  type Driver,
  type DriverContext,
  type OpenContext,
  type OutgoingMessage,
  type QueryContext,
  type QueryResult,
  type SubmitResult,
  type SubmittedMessage,
  UnknownOutcome,
} from '../channel.ts';
import { tailOf } from '../exchanges.ts';
import { carrierAgent } from '../http-call.ts';
import { sendOneByOne } from '../one-by-one.ts';
import { BotApi, messageIdIn, type Reply } from './bot-api.ts';
import { doorOf, secretOf, UPDATES } from './callbacks.ts';
import type { Refused } from './errors.ts';
import { type Attachment, Attachments } from './attachments.ts';
import { TelegramBotOptions } from './options.ts';

/** Messages of one call, which go one by one. */
const MAX_BATCH = 20;
/** In units of UTF-16, as Telegram counts them. */
const MAX_TEXT = 4_096;
const MAX_CAPTION = 1_024;
/** What a bot may send over all. */
const MESSAGES_A_SECOND = 30;
/** The store of the chats, or of the files, is away. */
const STORE_RETRY_MS = 10_000;
/** What Telegram has taken is in the chat. */
const DELIVERED_AFTER_SECONDS = 0;

/** Messages of a bot to the Telegram of people who have opened it and shared their phone numbers. */
export const telegramBotDriver = defineDriver({
  name: 'telegram-bot',
  types: ['telegram', 'chat_telegram'],
  rate: MESSAGES_A_SECOND,
  options: TelegramBotOptions,
  describe: (options) => ({
    deduplicates: false,
    maxBatch: MAX_BATCH,
    concurrency: options.connections,
    isQueried: true,
    isAnnounced: true,
    expiresAfter: () => expiryAfter(DELIVERED_AFTER_SECONDS),
    callback: doorOf(options),
  }),
  open: (options, context) => new TelegramBotChannel(options, context),
});

class TelegramBotChannel implements Driver {
  private readonly agent;
  private readonly api: BotApi;
  private readonly attachments: Attachments;

  constructor(
    private readonly options: TelegramBotOptions,
    private readonly context: OpenContext,
  ) {
    this.agent = carrierAgent(context.outbound, options);
    this.api = new BotApi(options, this.agent);
    this.attachments = new Attachments(context.files);
  }

  /** A recipient who has not opened the bot is `not_a_user`: the number is right, and a fallback by another type reaches it. */
  async send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]> {
    const phones = batch.map(({ recipient }) => recipient);
    const chats = await this.context.chats.of(phones).catch((cause: unknown) => {
      throw new ChannelDown('the chats cannot be read', STORE_RETRY_MS, { cause });
    });
    return sendOneByOne(batch, context, (message) => {
      const chat = chats.get(message.recipient);
      return chat === undefined
        ? Promise.resolve(refusal(message, NO_CHAT))
        : this.sendTo(chat, message, context);
    });
  }

  /** Nobody tells what has arrived. */
  query(messages: SubmittedMessage[], context: QueryContext): Promise<QueryResult> {
    return Promise.resolve(assumedDelivered(messages, context, DELIVERED_AFTER_SECONDS));
  }

  async announce(signal: AbortSignal): Promise<void> {
    const body = {
      url: this.options.callbackUrl,
      secret_token: secretOf(this.options.token),
      allowed_updates: UPDATES,
    };
    const reply = await this.api.call('setWebhook', body, { signal }).catch((cause: unknown) => {
      // It is said again whether or not it was heard.
      if (!(cause instanceof UnknownOutcome)) throw cause;
      throw new ChannelDown(cause.message, STORE_RETRY_MS, { cause });
    });
    if ('refused' in reply)
      throw new ChannelDown(
        `the address for callbacks is refused: ${reply.refused.text ?? ''}`,
        STORE_RETRY_MS,
      );
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  /** Throws ChannelDown or UnknownOutcome of this message. */
  private async sendTo(
    chat: string,
    message: OutgoingMessage,
    context: DriverContext,
  ): Promise<SubmitResult> {
    const { reference, payload } = message;
    const given = payload.text ?? '';
    const text = isBlank(given) ? '' : given.toWellFormed();
    const { image, file } = payload;
    if (image && file) return refusal(message, ONE_FILE);
    const fileId = [image, file].find((one) => typeof one === 'string');
    if (!text && !fileId) return refusal(message, NO_TEXT);
    if (text.length > (fileId ? MAX_CAPTION : MAX_TEXT))
      return refusal(message, { code: 'too_long' });
    const attached = fileId ? await this.attachments.of(fileId, fileId === image) : undefined;
    if (attached === 'away') return { reference, result: 'throttled', retryAfter: STORE_RETRY_MS };
    if (attached && 'code' in attached) return refusal(message, attached);
    let reply = await this.post(chat, text, attached, context);
    if ('refused' in reply && attached && this.attachments.isForgotten(attached, reply.refused)) {
      // Telegram does not have it any more, and has sent nothing.
      const again = await this.attachments.of(fileId!, fileId === image);
      if (again !== 'away' && !('code' in again))
        reply = await this.post(chat, text, again, context);
    }
    if ('refused' in reply) {
      // A chat that stays by accident is found closed again.
      if (reply.refused.hasEnded) await this.context.chats.end(chat).catch(() => undefined);
      return refusal(message, reply.refused);
    }
    const externalIds = [messageIdIn(reply.result)];
    if (attached) this.attachments.keep(attached, reply.result);
    return { reference, result: 'accepted', externalIds };
  }

  private post(
    chat: string,
    text: string,
    attached: Attachment | undefined,
    context: DriverContext,
  ): Promise<Reply> {
    const shown = { chat_id: tailOf(chat) };
    const length = `[${[...text].length}]`;
    if (attached) {
      const caption = text ? { caption: text } : {};
      return this.api.call(
        attached.method,
        attached.bodyOf({ chat_id: Number(chat), ...caption }),
        context,
        () => ({ ...shown, ...(text && { caption: length }), ...attached.shown }),
      );
    }
    const preview = { link_preview_options: { is_disabled: !this.options.previewLinks } };
    const body = { chat_id: Number(chat), text, ...preview };
    return this.api.call('sendMessage', body, context, () => ({
      ...shown,
      text: length,
      ...preview,
    }));
  }
}

const NO_CHAT: Refused = { code: 'not_a_user', text: 'The person has not opened the bot.' };
const ONE_FILE: Refused = {
  code: 'invalid_payload',
  text: 'A message has an image or a file, not both.',
};
const NO_TEXT: Refused = { code: 'invalid_payload', text: 'There is no text.' };

const refusal = (
  { reference }: OutgoingMessage,
  { code, carrierCode, text }: Refused,
): SubmitResult => ({
  reference,
  result: 'rejected',
  code,
  ...(carrierCode !== undefined && { carrierCode }),
  ...(text && { text }),
});
