import { escapeHtml } from '@heliograph/domain';
import type { SimulatedParty, SimulatedRequest, SimulatedResponse } from '../http.ts';
import { botSandboxPage, type SandboxMessage } from '../telegram/bot-sandbox-page.ts';
import type { Webhook } from '../telegram/bot-sandbox.ts';

export interface MaxSandboxHost {
  isToken: (token: string) => boolean;
  /** HMAC-SHA-256 with the token of the bot as the key, in hexadecimal: shared numbers are signed by it. */
  sign: (text: string) => string;
  /** Path of the page, without a slash at the end. */
  baseUrl: string;
  now: () => number;
  /** Of a new person. Whoever knows it can read the chat. */
  newUserId: () => number;
  /** Posts an update; the answer is not read. */
  post: (webhook: Webhook, update: object) => Promise<void>;
}

const MAX_CHATS = 200;
const MAX_MESSAGES = 100;
const MAX_TEXT = 4000;
const MAX_PHONE = 30;
const BOT_ID = 77;
const PAGE = { bot: 'heliograph_demo_bot', messenger: 'MAX' };

/**
 * MAX with one bot, for demo installations: those methods of the Bot API that a channel needs, and a page on which a person chats with
 * the bot. Its chats live as long as the process. Source: https://github.com/max-messenger/api-schema
 */
export class MaxSandbox implements SimulatedParty {
  private readonly chats = new Map<number, SandboxMessage[]>();
  private webhook?: Webhook;
  private sent = 0;
  private readonly host: MaxSandboxHost;

  constructor(host: MaxSandboxHost) {
    this.host = host;
  }

  async respond(request: SimulatedRequest): Promise<SimulatedResponse> {
    const { method, path, body } = request;
    if (['/subscriptions', '/messages', '/uploads'].includes(path)) return this.call(request);
    const { baseUrl } = this.host;
    if (path === '' || path === '/')
      return { status: 303, location: `${baseUrl}/${this.host.newUserId()}?start=1` };
    const id = path.slice(1);
    const user = Number(id);
    if (!/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(user)) return { status: 404 };
    if (method === 'POST') {
      const text = typeof body.text === 'string' ? body.text.trim().slice(0, MAX_TEXT) : '';
      const phone = typeof body.phone === 'string' ? body.phone.trim().slice(0, MAX_PHONE) : '';
      if (phone) await this.write(user, phone, { attachments: [this.contact(user, phone)] });
      else if (text) await this.write(user, text, { text });
      return { status: 303, location: `${baseUrl}/${id}` };
    }
    const draft = request.query.start ? '/start' : '';
    return { status: 200, html: botSandboxPage(this.chats.get(user) ?? [], draft, PAGE) };
  }

  /** The person writes to the bot. What it gets before it has said where is lost. */
  private async write(user: number, shown: string, content: object): Promise<void> {
    this.add(user, { isFromBot: false, text: shown });
    if (!this.webhook) return;
    const timestamp = this.host.now();
    await this.host.post(this.webhook, {
      update_type: 'message_created',
      timestamp,
      user_locale: 'en',
      message: {
        sender: { user_id: user, first_name: 'Demo', is_bot: false, last_activity_time: timestamp },
        recipient: { chat_id: user + 1, chat_type: 'dialog', user_id: BOT_ID },
        timestamp,
        body: { mid: this.newId(), seq: this.sent, text: null, ...content },
        link: null,
      },
    });
  }

  /** The own contact of a person, as MAX signs it. */
  private contact(user: number, phone: string): object {
    const number = phone.replace(/\D/g, '');
    const vcf_info = `BEGIN:VCARD\r\nVERSION:3.0\r\nTEL;TYPE=cell:${number}\r\nFN:Demo\r\nEND:VCARD\r\n`;
    const hash = this.host.sign(vcf_info);
    return { type: 'contact', payload: { vcf_info, hash, max_info: { user_id: user } } };
  }

  private call({ method, path, query, body, authorization }: SimulatedRequest): SimulatedResponse {
    if (method !== 'POST') return failure(405, 'method.not.allowed', 'Method not allowed');
    if (!this.host.isToken(authorization ?? ''))
      return failure(401, 'verify.token', 'Invalid access_token');
    switch (path) {
      case '/subscriptions':
        this.webhook = { url: String(body.url), secret: String(body.secret) };
        return { status: 200, json: { success: true } };
      case '/messages':
        return this.send(Number(query.user_id), body);
      default:
        return failure(400, 'proto.payload', 'The sandbox takes no files');
    }
  }

  private send(user: number, { text, attachments }: Record<string, unknown>): SimulatedResponse {
    if (typeof text !== 'string' || !text) return failure(400, 'proto.payload', 'No text');
    if (text.length > MAX_TEXT) return failure(400, 'proto.payload', 'text is too long');
    if (!this.chats.has(user)) return failure(404, 'chat.not.found', 'dialog.not.found');
    const [keyboard] = (attachments ?? []) as { payload: { buttons: { text: string }[][] } }[];
    const shareButton = keyboard?.payload.buttons[0]?.[0]?.text ?? '';
    this.add(user, { isFromBot: true, text: escapeHtml(text), shareButton });
    const timestamp = this.host.now();
    const recipient = { chat_id: user + 1, chat_type: 'dialog', user_id: user };
    const message = { recipient, timestamp, body: { mid: this.newId(), seq: this.sent, text } };
    return { status: 200, json: { message } };
  }

  private newId(): string {
    return `mid.${this.host.now().toString(16)}.${++this.sent}`;
  }

  private add(user: number, message: SandboxMessage): void {
    const messages = this.chats.get(user) ?? [];
    this.chats.delete(user);
    this.chats.set(user, [...messages, message].slice(-MAX_MESSAGES));
    const [oldest] = this.chats.keys();
    if (this.chats.size > MAX_CHATS) this.chats.delete(oldest!);
  }
}

const failure = (status: number, code: string, message: string): SimulatedResponse => ({
  status,
  json: { code, message },
});
