import { escapeHtml } from '@heliograph/domain';
import type { SimulatedParty, SimulatedRequest, SimulatedResponse } from '../http.ts';
import { botSandboxPage, SANDBOX_BOT, type SandboxMessage } from './bot-sandbox-page.ts';

interface Update {
  update_id: number;
  message: {
    message_id: number;
    date: number;
    chat: { id: number; type: 'private'; first_name: string };
    from: { id: number; is_bot: false; first_name: string; language_code?: string };
    text?: string;
    contact?: { phone_number: string; first_name: string; user_id: number };
  };
}
type Content = Pick<Update['message'], 'text' | 'contact'>;

/** Where the bot gets its updates, if it does not ask for them. */
export interface Webhook {
  url: string;
  secret: string;
}

export interface BotSandboxHost {
  /** Whether this is the token of the bot. */
  isToken: (token: string) => boolean;
  /** Path of the page, without a slash at the end. */
  baseUrl: string;
  now: () => number;
  /** Of a new chat. Whoever knows it can read the chat. */
  newChatId: () => number;
  /** Posts an update and returns the body of the answer; without it bots ask for updates. */
  post?: (webhook: Webhook, update: object) => Promise<string>;
}

const MAX_CHATS = 200;
const MAX_MESSAGES = 100;
const MAX_UPDATES = 1000;
const MAX_TEXT = 4096;
const MAX_PHONE = 30;
const CHAT_ID = /^[1-9]\d{0,15}$/;

/**
 * A messenger without a network, for demo installations and tests: the methods of Telegram's Bot API that the product calls, and a page
 * with the chats. Its chats live as long as the process.
 * Source: https://core.telegram.org/bots/api
 */
export class BotSandbox implements SimulatedParty {
  readonly chats = new Map<number, SandboxMessage[]>();
  private readonly host: BotSandboxHost;
  private updates: Update[] = [];
  private lastId: number;
  private webhook?: Webhook;

  constructor(host: BotSandboxHost) {
    this.host = host;
    // Ids grow over restarts: the bot confirms updates by their id.
    this.lastId = host.now();
  }

  async respond({
    method,
    path,
    query,
    body,
  }: Omit<SimulatedRequest, 'authorization'>): Promise<SimulatedResponse> {
    const bot = /^\/bot([^/]{1,300})\/(\w{1,40})$/.exec(path);
    if (bot) return this.call(bot[1]!, bot[2]!, body);
    if (path === '' || path === '/') {
      const code = query.start ? `?start=${encodeURIComponent(query.start.slice(0, 64))}` : '';
      return { status: 303, location: `${this.host.baseUrl}/${this.host.newChatId()}${code}` };
    }
    const id = path.slice(1);
    if (!CHAT_ID.test(id)) return { status: 404, json: {} };
    const chatId = Number(id);
    if (method === 'POST') {
      const text = typeof body.text === 'string' ? body.text.trim().slice(0, MAX_TEXT) : '';
      const phone = typeof body.phone === 'string' ? body.phone.trim().slice(0, MAX_PHONE) : '';
      if (phone) this.share(chatId, phone);
      else if (text) this.write(chatId, text);
      await this.post();
      return { status: 303, location: `${this.host.baseUrl}/${id}` };
    }
    const draft = query.start ? `/start ${query.start.slice(0, 64)}` : '';
    return { status: 200, html: botSandboxPage(this.chats.get(chatId) ?? [], draft) };
  }

  /** The person writes to the bot, which gets it when it asks, or with the next call of the page. */
  write(chatId: number, text: string, languageCode = 'en'): void {
    this.add(chatId, { isFromBot: false, text });
    this.update(chatId, { text }, languageCode);
  }

  /** The person shares its own number. */
  private share(chatId: number, phone: string): void {
    this.add(chatId, { isFromBot: false, text: phone });
    this.update(chatId, { contact: { phone_number: phone, first_name: 'Demo', user_id: chatId } });
  }

  private update(chatId: number, content: Content, language_code = 'en'): void {
    const person = { id: chatId, first_name: 'Demo' };
    this.updates.push({
      update_id: ++this.lastId,
      message: {
        message_id: this.lastId,
        date: Math.floor(this.host.now() / 1000),
        chat: { ...person, type: 'private' },
        from: { ...person, is_bot: false, language_code },
        ...content,
      },
    });
    if (this.updates.length > MAX_UPDATES) this.updates.shift();
  }

  /** Posts what waits, if the bot has said where, and sends what the bot answers. */
  private async post(): Promise<void> {
    const { webhook, host } = this;
    if (!webhook || !host.post) return;
    for (const update of this.updates.splice(0)) {
      const answer = await host.post(webhook, update);
      if (answer) this.send(JSON.parse(answer) as Record<string, unknown>);
    }
  }

  private call(token: string, name: string, body: Record<string, unknown>): SimulatedResponse {
    if (!this.host.isToken(token)) return failure(401, 'Unauthorized');
    switch (name) {
      case 'getMe':
        return success({ id: 1, is_bot: true, first_name: 'Demo', username: SANDBOX_BOT });
      case 'getUpdates':
        return success(this.read(Number(body.offset ?? 0)));
      case 'sendMessage':
        return this.send(body);
      case 'setWebhook':
        this.webhook = { url: String(body.url), secret: String(body.secret_token) };
        return success(true);
      case 'sendPhoto':
      case 'sendAnimation':
      case 'sendDocument':
        return failure(400, 'Bad Request: the sandbox takes no files');
      default:
        return failure(404, 'Not Found');
    }
  }

  /** Updates below the offset are confirmed and forgotten. */
  private read(offset: number): Update[] {
    this.updates = this.updates.filter(({ update_id }) => update_id >= offset);
    return this.updates.slice(0, 100);
  }

  private send({
    chat_id: chatId,
    text,
    parse_mode: mode,
    reply_markup: markup,
  }: Record<string, unknown>) {
    if (typeof text !== 'string' || !text.trim())
      return failure(400, 'Bad Request: message text is empty');
    if (text.length > MAX_TEXT) return failure(400, 'Bad Request: message is too long');
    if (mode === 'HTML' && !isTelegramHtml(text))
      return failure(400, "Bad Request: can't parse entities");
    if (!this.chats.has(Number(chatId))) return failure(400, 'Bad Request: chat not found');
    const { keyboard } = (markup ?? {}) as { keyboard?: { text: string }[][] };
    this.add(Number(chatId), {
      isFromBot: true,
      text: mode === 'HTML' ? text : escapeHtml(text),
      ...(markup !== undefined && { shareButton: keyboard?.[0]?.[0]?.text ?? '' }),
    });
    return success({ message_id: ++this.lastId });
  }

  private add(chatId: number, message: SandboxMessage): void {
    const messages = this.chats.get(chatId) ?? [];
    this.chats.delete(chatId);
    this.chats.set(chatId, [...messages, message].slice(-MAX_MESSAGES));
    const [oldest] = this.chats.keys();
    if (this.chats.size > MAX_CHATS) this.chats.delete(oldest!);
  }
}

/** Telegram refuses other tags, and brackets and ampersands that are not escaped. */
function isTelegramHtml(text: string): boolean {
  const open: string[] = [];
  for (const [tag, end, name] of text.matchAll(/<(\/?)([^<>\s]{0,20})[^<>]*>?|</g)) {
    if (!tag.endsWith('>') || !/^(?:b|i|u|s|code|pre|a)$/.test(name ?? '')) return false;
    if (!end) open.push(name!);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0 && !/&(?!(?:amp|lt|gt|quot);|#\d{1,7};)/.test(text);
}

const success = (result: unknown): SimulatedResponse => ({
  status: 200,
  json: { ok: true, result },
});
const failure = (status: number, description: string): SimulatedResponse => ({
  status,
  json: { ok: false, error_code: status, description },
});
