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
  type RefusedAnswer,
  type SubmitResult,
} from '../channel.ts';
import { tailOf } from '../exchanges.ts';
import { carrierAgent } from '../http-call.ts';
import { type Attachment, Attachments } from './attachments.ts';
import { doorOf, secretOf, UPDATES } from './callbacks.ts';
import { isNotReady } from './errors.ts';
import { MaxApi, messageIdIn } from './max-api.ts';
import { MaxBotOptions } from './options.ts';

/** In units of UTF-16. The text beside a file is as long as any. */
const LIMITS = { text: 4_000, caption: 4_000 };
/** What the API takes of a bot, uploads included. */
const REQUESTS_A_SECOND = 30;
/** MAX processes files that were uploaded. Each further try waits twice as long. */
const NOT_READY_MS = 2_000;
const MAX_RETRY_MS = 3_600_000;
/** After so many tries MAX is taken to have lost the file. */
const LOST_TRIES = 8;
const growing = (ms: number, tries: number): number =>
  Math.min(MAX_RETRY_MS, ms * 2 ** Math.min(tries, 12));

/** Messages of a bot to the MAX of people who have opened it and shared their phone numbers. */
export const maxBotDriver = defineDriver({
  name: 'max-bot',
  types: ['max'],
  rate: REQUESTS_A_SECOND,
  options: MaxBotOptions,
  describe: (options) => ({
    ...BOT_FACTS,
    concurrency: options.connections,
    callback: doorOf(options),
  }),
  open: (options, context) => new MaxBotChannel(options, context),
});

class MaxBotChannel implements Driver {
  readonly query = deliveredAtOnce;
  private readonly agent;
  private readonly api: MaxApi;
  private readonly attachments: Attachments;

  constructor(
    private readonly options: MaxBotOptions,
    private readonly context: OpenContext,
  ) {
    this.agent = carrierAgent(context.outbound, options);
    this.api = new MaxApi(options, this.agent);
    this.attachments = new Attachments(context.files, this.api);
  }

  send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]> {
    return sendToChats(batch, context, this.context.chats, (chat, message) =>
      this.sendTo(chat, message, context),
    );
  }

  async say(chat: string, answer: string, signal: AbortSignal): Promise<RefusedAnswer | undefined> {
    const reply = await this.api.post(this.pathTo(chat), answer, { signal });
    return 'refused' in reply ? reply.refused : undefined;
  }

  announce(signal: AbortSignal): Promise<void> {
    const body = JSON.stringify({
      url: this.options.callbackUrl,
      secret: secretOf(this.options.token),
      update_types: UPDATES,
    });
    return announced(this.api.post('/subscriptions', body, { signal }), (result) =>
      this.reasonIn(result),
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
    const { reference } = message;
    const content = contentOf(message, LIMITS);
    if ('code' in content) return refusal(message, content);
    const { text, file } = content;
    const attached = file && (await this.attachments.of(file, context));
    const wait = (ms: number): SubmitResult => ({
      reference,
      result: 'throttled',
      retryAfter: growing(ms, message.tries),
    });
    if (attached === 'away') return wait(STORE_RETRY_MS);
    if (attached && 'code' in attached) return refusal(message, attached);
    const reply = await this.post(chat, text, attached?.attachment, context);
    if (!('refused' in reply))
      return { reference, result: 'accepted', externalIds: [messageIdIn(reply.result)] };
    const { refused } = reply;
    if (attached && isNotReady(refused)) {
      if (message.tries >= LOST_TRIES) this.attachments.forget(attached.key);
      return wait(NOT_READY_MS);
    }
    if (attached?.isKept && refused.code === 'invalid_payload') {
      // MAX may not have it any more, and has sent nothing: it is uploaded with the next try.
      this.attachments.forget(attached.key);
      return wait(NOT_READY_MS);
    }
    if (attached && refused.code === 'invalid_payload')
      this.attachments.refuse(attached.key, refused);
    return refusedIn(chat, message, refused, this.context.chats);
  }

  private post(
    chat: string,
    text: string,
    attachment: Attachment | undefined,
    context: DriverContext,
  ): Promise<Reply> {
    const body = JSON.stringify({
      ...(text && { text }),
      ...(attachment && { attachments: [attachment] }),
    });
    return this.api.post(this.pathTo(chat), body, context, () => ({
      path: this.pathTo(tailOf(chat)),
      body: {
        ...(text && { text: `[${[...text].length}]` }),
        ...(attachment && { attachments: [{ type: attachment.type }] }),
      },
    }));
  }

  /** Why MAX has not done what it was asked, with a status of success; null if it has. */
  private reasonIn(result: unknown): string | null {
    const { success, message } = result as { success?: unknown; message?: unknown };
    return success === true ? null : this.api.shown(String(message ?? ''));
  }

  private pathTo(chat: string): string {
    return `/messages?user_id=${chat}&disable_link_preview=${!this.options.previewLinks}`;
  }
}
