import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** Access data of the peer, as options of a channel. */
export const BOT = {
  token: '4200:AAH-a-token-of-a-bot-in-tests',
  callbackUrl: 'https://sms.example/api/callbacks/bot',
};

const chat_id = z.int().positive();
const keyboard = z.strictObject({
  keyboard: z.array(
    z.array(
      z.strictObject({ text: z.string().min(1).max(64), request_contact: z.boolean().optional() }),
    ),
  ),
  resize_keyboard: z.boolean().optional(),
  one_time_keyboard: z.boolean().optional(),
});
const caption = z.string().min(1).max(1024).optional();
/** What Telegram's reference allows, and nothing else. */
const METHODS = {
  sendMessage: z.strictObject({
    chat_id,
    text: z.string().min(1).max(4096),
    link_preview_options: z.strictObject({ is_disabled: z.boolean() }).optional(),
    reply_markup: z
      .union([keyboard, z.strictObject({ remove_keyboard: z.literal(true) })])
      .optional(),
  }),
  sendPhoto: z.strictObject({ chat_id, caption, photo: z.string().min(1) }),
  sendAnimation: z.strictObject({ chat_id, caption, animation: z.string().min(1) }),
  sendDocument: z.strictObject({ chat_id, caption, document: z.string().min(1) }),
  setWebhook: z.strictObject({
    url: z.url({ protocol: /^https$/ }),
    secret_token: z.string().regex(/^[\w-]{1,256}$/),
    allowed_updates: z.array(z.enum(['message', 'my_chat_member'])),
  }),
};
type Method = keyof typeof METHODS;
/** What the bot may answer to an update in the response of the webhook. */
const Answer = METHODS.sendMessage.extend({ method: z.literal('sendMessage') });

export interface ScriptedAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Closes the connection after the request, or never answers. */
  fault?: 'close' | 'silent';
}

export const botError = (
  code: number,
  description: string,
  retry_after?: number,
): ScriptedAnswer => ({
  status: code,
  body: {
    ok: false,
    error_code: code,
    description,
    ...(retry_after !== undefined && { parameters: { retry_after } }),
  },
});
export const BLOCKED = botError(403, 'Forbidden: bot was blocked by the user');
export const NO_CHAT = botError(400, 'Bad Request: chat not found');

export interface Upload {
  field: string;
  filename: string;
  type: string;
  bytes: number;
}

/** A Bot API that refuses what its reference does not allow. */
export class TelegramBotPeer {
  url = '';
  /** The calls that were made, by method, and the bodies of those that had their effect. */
  readonly calls: string[] = [];
  readonly sent: Record<string, unknown>[] = [];
  readonly uploads: Upload[] = [];
  /** What the bot was told last about the webhook. */
  webhook?: z.output<typeof METHODS.setWebhook>;
  /** Answers of the next calls that send. */
  readonly script: ScriptedAnswer[] = [];
  /** Answer of `setWebhook`, in place of its own. */
  refusesWebhook?: ScriptedAnswer;
  /** Names of files that the bot may name. */
  readonly files = new Set<string>();
  private server?: Server;
  private lastUpdate = 1_000;

  async listen(): Promise<string> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const type = request.headers['content-type'] ?? '';
        void this.answer(`${request.method} ${request.url}`, type, Buffer.concat(chunks)).then(
          ({ fault, status, headers, body }) => {
            if (fault === 'close') return request.socket.destroy();
            if (fault === 'silent') return;
            response.writeHead(status ?? 200, { 'content-type': 'application/json', ...headers });
            response.end(typeof body === 'string' ? body : JSON.stringify(body));
          },
        );
      });
    });
    await new Promise<void>((done) => this.server!.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this.url;
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((done) => this.server?.close(done) ?? done(undefined));
  }

  /** Posts an update as Telegram does; returns what the bot answers, which has to be a message or nothing. */
  async post(
    address: string,
    update: object,
    secret = this.webhook?.secret_token,
  ): Promise<{ status: number; answer: z.output<typeof Answer> | null }> {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(secret && { 'x-telegram-bot-api-secret-token': secret }),
      },
      body: JSON.stringify({ update_id: ++this.lastUpdate, ...update }),
    });
    const text = await response.text();
    if (response.status !== 200 || !text) return { status: response.status, answer: null };
    if (!response.headers.get('content-type')?.startsWith('application/json'))
      throw new Error('Telegram does not read this answer');
    return { status: 200, answer: Answer.parse(JSON.parse(text)) };
  }

  private async answer(called: string, type: string, bytes: Buffer): Promise<ScriptedAnswer> {
    const [, token, method] = /^POST \/bot([^/]+)\/(\w+)$/.exec(called) ?? [];
    this.calls.push(method ?? called);
    if (token !== BOT.token) return botError(401, 'Unauthorized');
    if (!method || !Object.hasOwn(METHODS, method)) return botError(404, 'Not Found');
    const scripted = method === 'setWebhook' ? this.refusesWebhook : this.script.shift();
    if (scripted) return scripted;
    const fields = await this.fieldsOf(type, bytes);
    if (!fields) return botError(400, 'Bad Request: message body is unreadable');
    const { data, error } = METHODS[method as Method].safeParse(fields);
    if (!data) return botError(400, `Bad Request: wrong ${String(error.issues[0]!.path[0])}`);
    if ('url' in data) {
      this.webhook = data;
      return { body: { ok: true, result: true, description: 'Webhook was set' } };
    }
    const file = this.fileOf(data);
    if (file === null) return botError(400, 'Bad Request: wrong file identifier specified');
    this.sent.push(data);
    const chat = { id: data.chat_id, type: 'private', first_name: 'Анна', username: 'anna_tea' };
    const result = {
      message_id: this.sent.length,
      date: Math.floor(Date.now() / 1000),
      chat,
      ...('text' in data && { text: data.text }),
      ...file,
    };
    return { body: { ok: true, result } };
  }

  /** The fields of JSON or a form, whose files are called by new names. */
  private async fieldsOf(type: string, bytes: Buffer) {
    if (type === 'application/json') return JSON.parse(bytes.toString()) as object;
    if (!type.startsWith('multipart/form-data')) return undefined;
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': type },
    }).formData();
    const fields: Record<string, unknown> = {};
    for (const [field, value] of form) {
      if (typeof value === 'string') {
        fields[field] = field === 'chat_id' ? Number(value) : value;
        continue;
      }
      const id = `file-${this.uploads.length + 1}`;
      this.uploads.push({
        field,
        filename: value.name,
        type: value.type,
        bytes: value.size,
      });
      this.files.add(id);
      fields[field] = id;
    }
    return fields;
  }

  /** What the result has of a file; null if the bot may not name it. */
  private fileOf(data: object): object | null {
    const given = data as { photo?: string; animation?: string; document?: string };
    const id = given.photo ?? given.animation ?? given.document;
    if (id === undefined) return {};
    if (!this.files.has(id)) return null;
    if (given.photo) return { photo: [{ file_id: 'small' }, { file_id: id }] };
    // An animation is a document, too.
    return { document: { file_id: id }, ...(given.animation && { animation: { file_id: id } }) };
  }
}

/** An update of a private chat, as Telegram posts it. */
export function wrote(chat: number, message: object, more: object = {}) {
  const person = { id: chat, first_name: 'Анна' };
  return {
    message: {
      message_id: 7,
      date: Math.floor(Date.now() / 1000),
      chat: { ...person, type: 'private' },
      from: { ...person, is_bot: false, language_code: 'ru' },
      ...message,
    },
    ...more,
  };
}

/** The person shares a number, its own unless another owner is given. */
export const shared = (chat: number, phone: string, owner: unknown = chat, more: object = {}) =>
  wrote(chat, {
    contact: { phone_number: phone.replace('+', ''), first_name: 'Анна', user_id: owner },
    ...more,
  });

/** The person blocks the bot. */
export const blocking = (
  chat: number,
  status = 'kicked',
  date = Math.floor(Date.now() / 1000),
) => ({
  my_chat_member: {
    date,
    chat: { id: chat, first_name: 'Анна', type: 'private' },
    from: { id: chat, is_bot: false, first_name: 'Анна' },
    old_chat_member: { status: 'member' },
    new_chat_member: { status },
  },
});
