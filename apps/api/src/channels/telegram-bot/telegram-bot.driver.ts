import {
  announced,
  BOT_FACTS,
  contentOf,
  deliveredAtOnce,
  refusal,
  refusedIn,
  type Reply,
  sendToChats,
  STORE_RETRY_MS,
} from '../bots.ts';
import {
  defineDriver,
  type Driver,
  type DriverContext,
  type OpenContext,
  type OutgoingMessage,
  type SubmitResult,
} from '../channel.ts';
import { tailOf } from '../exchanges.ts';
import { carrierAgent } from '../http-call.ts';
import { BotApi, messageIdIn } from './bot-api.ts';
import { doorOf, secretOf, UPDATES } from './callbacks.ts';
import { type Attachment, Attachments } from './attachments.ts';
import { TelegramBotOptions } from './options.ts';

/** In units of UTF-16, as Telegram counts them. */
const LIMITS = { text: 4_096, caption: 1_024 };
/** What a bot may send over all. */
const MESSAGES_A_SECOND = 30;

/** Messages of a bot to the Telegram of people who have opened it and shared their phone numbers. */
export const telegramBotDriver = defineDriver({
  name: 'telegram-bot',
  types: ['telegram', 'chat_telegram'],
  rate: MESSAGES_A_SECOND,
  options: TelegramBotOptions,
  describe: (options) => ({
    ...BOT_FACTS,
    concurrency: options.connections,
    callback: doorOf(options),
  }),
  open: (options, context) => new TelegramBotChannel(options, context),
});

class TelegramBotChannel implements Driver {
  readonly query = deliveredAtOnce;
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

  send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]> {
    return sendToChats(batch, context, this.context.chats, (chat, message) =>
      this.sendTo(chat, message, context),
    );
  }

  announce(signal: AbortSignal): Promise<void> {
    const body = {
      url: this.options.callbackUrl,
      secret_token: secretOf(this.options.token),
      allowed_updates: UPDATES,
    };
    return announced(this.api.call('setWebhook', body, { signal }));
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
    const { reference } = message;
    const content = contentOf(message, LIMITS);
    if ('code' in content) return refusal(message, content);
    const { text, file } = content;
    const attached = file && (await this.attachments.of(file.id, file.isImage));
    if (attached === 'away') return { reference, result: 'throttled', retryAfter: STORE_RETRY_MS };
    if (attached && 'code' in attached) return refusal(message, attached);
    let reply = await this.post(chat, text, attached, context);
    if ('refused' in reply && attached && this.attachments.isForgotten(attached, reply.refused)) {
      // Telegram does not have it any more, and has sent nothing.
      const again = await this.attachments.of(file!.id, file!.isImage);
      if (again !== 'away' && !('code' in again))
        reply = await this.post(chat, text, again, context);
    }
    if ('refused' in reply) return refusedIn(chat, message, reply.refused, this.context.chats);
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
