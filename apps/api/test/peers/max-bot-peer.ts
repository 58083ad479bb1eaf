import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** Access data of the peer, as options of a channel. */
export const BOT = {
  token: 'f9LHodD0cOK-a_token_of_a_bot_in_tests',
  callbackUrl: 'https://sms.example/api/callbacks/max',
};

const Token = z.strictObject({ token: z.string().min(1) });
const Keyboard = z.strictObject({
  type: z.literal('inline_keyboard'),
  payload: z.strictObject({
    buttons: z
      .array(
        z
          .array(
            z.strictObject({
              type: z.literal('request_contact'),
              text: z.string().min(1).max(128),
            }),
          )
          .max(3),
      )
      .min(1)
      .max(30),
  }),
});
/** A file is the only attachment of its message. */
const Attachment = z.discriminatedUnion('type', [
  Keyboard,
  z.strictObject({
    type: z.literal('image'),
    payload: z.strictObject({ photos: z.record(z.string(), Token) }),
  }),
  z.strictObject({ type: z.literal('file'), payload: Token }),
]);
type Attachment = z.output<typeof Attachment>;
/** What the schema of the API allows of it, and nothing else. */
const NewMessageBody = z
  .strictObject({
    text: z.string().min(1).max(4000).optional(),
    attachments: z.array(Attachment).min(1).max(1).optional(),
  })
  .refine(({ text, attachments }) => text !== undefined || attachments !== undefined);
const Query = z.strictObject({
  user_id: z.string().regex(/^[1-9]\d{0,15}$/),
  disable_link_preview: z.enum(['true', 'false']),
});
const Subscription = z.strictObject({
  url: z.url({ protocol: /^https$/ }),
  secret: z.string().regex(/^[\w-]{5,256}$/),
  update_types: z.array(z.enum(['message_created', 'bot_started', 'bot_stopped'])),
});

export interface ScriptedAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Closes the connection after the request, or never answers. */
  fault?: 'close' | 'silent';
}

export const maxError = (
  status: number,
  code: string,
  message = 'Something is wrong',
): ScriptedAnswer => ({ status, body: { code, message } });
export const STOPPED = maxError(
  403,
  'chat.denied',
  'Key: error.dialog.suspended, args: [228532008,].',
);
export const NO_DIALOG = maxError(404, 'chat.not.found', 'dialog.not.found');
export const NOT_READY = maxError(
  400,
  'attachment.not.ready',
  'Key: errors.process.attachment.file.not.processed',
);

/** A message that the peer has taken. */
export interface SentMessage {
  user_id: number;
  disable_link_preview: boolean;
  text?: string;
  attachments?: Attachment[];
}

/** A Bot API of MAX that refuses what its schema does not allow, and the host of its uploads. */
export class MaxBotPeer {
  url = '';
  /** The calls that were made, and the bodies of those that sent a message. */
  readonly calls: string[] = [];
  readonly sent: SentMessage[] = [];
  readonly uploads: { kind: string; filename: string; type: string; bytes: number }[] = [];
  /** What the bot was told last about its updates. */
  subscription?: z.output<typeof Subscription>;
  /** Answers of the next calls that send, that ask where to upload, and that upload. */
  readonly script: ScriptedAnswer[] = [];
  readonly placeScript: ScriptedAnswer[] = [];
  readonly uploadScript: ScriptedAnswer[] = [];
  /** Answer of a subscription, in place of its own. */
  refusesSubscription?: ScriptedAnswer;
  /** Tokens of files that messages may name. */
  readonly files = new Set<string>();
  private server?: Server;

  async listen(): Promise<string> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        void this.answer(`${method} ${url}`, headers, Buffer.concat(chunks)).then(
          ({ fault, status, headers: more, body }) => {
            if (fault === 'close') return request.socket.destroy();
            if (fault === 'silent') return;
            response.writeHead(status ?? 200, { 'content-type': 'application/json', ...more });
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

  /** Posts an update as MAX does, which reads no more of the answer than its status; returns it with the body. */
  async post(
    address: string,
    update: object,
    secret = this.subscription?.secret,
  ): Promise<{ status: number; body: string }> {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(secret && { 'x-max-bot-api-secret': secret }),
      },
      body: JSON.stringify(update),
    });
    return { status: response.status, body: await response.text() };
  }

  private async answer(
    called: string,
    headers: Record<string, string | string[] | undefined>,
    bytes: Buffer,
  ): Promise<ScriptedAnswer> {
    const { pathname, searchParams } = new URL(called.split(' ')[1]!, this.url);
    const call = `${called.split(' ')[0]} ${pathname}`;
    this.calls.push(call);
    const query = Object.fromEntries(searchParams);
    if (call === 'POST /upload.do') return this.upload(query, headers, bytes);
    // Neither a scheme, nor in the query.
    if (headers.authorization !== BOT.token) return maxError(401, 'verify.token', 'Invalid token');
    switch (call) {
      case 'POST /messages':
        return this.script.shift() ?? this.take(query, headers, bytes);
      case 'POST /uploads': {
        const scripted = this.placeScript.shift();
        if (scripted) return scripted;
        const { success } = z.strictObject({ type: z.enum(['image', 'file']) }).safeParse(query);
        if (!success || bytes.length) return maxError(400, 'proto.payload');
        return { body: { url: `${this.url}/upload.do?sig=s3cret&kind=${query.type}` } };
      }
      case 'POST /subscriptions': {
        if (this.refusesSubscription) return this.refusesSubscription;
        const { data } = Subscription.safeParse(JSON.parse(bytes.toString()));
        if (!data) return maxError(400, 'proto.payload');
        this.subscription = data;
        return { body: { success: true } };
      }
      default:
        return maxError(404, 'not.found', 'No such method');
    }
  }

  private take(query: object, headers: Record<string, unknown>, bytes: Buffer): ScriptedAnswer {
    const { data: to } = Query.safeParse(query);
    if (!to || headers['content-type'] !== 'application/json')
      return maxError(400, 'proto.payload', 'Unknown recipient');
    const { data } = NewMessageBody.safeParse(JSON.parse(bytes.toString()));
    if (!data) return maxError(400, 'proto.payload', 'Wrong body');
    for (const { type, payload } of data.attachments ?? []) {
      const tokens =
        type === 'image'
          ? Object.values(payload.photos).map(({ token }) => token)
          : type === 'file'
            ? [payload.token]
            : [];
      if (!tokens.every((token) => this.files.has(token)))
        return maxError(400, 'proto.payload', 'attachment.not.found');
    }
    const user_id = Number(to.user_id);
    this.sent.push({ user_id, disable_link_preview: to.disable_link_preview === 'true', ...data });
    const message = {
      sender: { user_id: 77, first_name: 'Mir Tea', is_bot: true },
      recipient: { chat_id: user_id + 1e6, chat_type: 'dialog', user_id },
      timestamp: Date.now(),
      body: { mid: `mid.${this.sent.length}`, seq: this.sent.length, text: data.text ?? null },
    };
    return { body: { message } };
  }

  /** Another host, in MAX: it gets no token of the bot. */
  private async upload(
    { kind }: Record<string, string>,
    headers: Record<string, string | string[] | undefined>,
    bytes: Buffer,
  ): Promise<ScriptedAnswer> {
    const scripted = this.uploadScript.shift();
    if (scripted) return scripted;
    if (headers.authorization !== undefined) return { status: 400, body: 'a token' };
    const type = String(headers['content-type']);
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': type },
    }).formData();
    const file = form.get('data');
    if (!(file instanceof File) || [...form].length !== 1) return { status: 400, body: 'no data' };
    const token = `token-${this.uploads.length + 1}`;
    this.uploads.push({ kind: kind!, filename: file.name, type: file.type, bytes: file.size });
    this.files.add(token);
    return {
      body: kind === 'image' ? { photos: { 'abc=': { token } } } : { fileId: 42, token },
    };
  }
}

const person = (user: number) => ({
  user_id: user,
  first_name: 'Анна',
  username: null,
  is_bot: false,
  last_activity_time: 1_739_184_000_000,
});

/** The person opens the bot, or stops it. The id of the dialog is another than that of the person. */
export const opened = (
  user: number,
  update_type: 'bot_started' | 'bot_stopped' = 'bot_started',
  timestamp = Date.now(),
) => ({ update_type, timestamp, chat_id: user + 1e6, user: person(user), user_locale: 'ru' });

/** An update of a dialog, as MAX posts it. */
export const wrote = (user: number, body: object, more: object = {}, locale?: unknown) => ({
  update_type: 'message_created',
  timestamp: Date.now(),
  user_locale: locale === undefined ? 'ru' : locale,
  message: {
    sender: person(user),
    recipient: { chat_id: user + 1e6, chat_type: 'dialog', user_id: 77 },
    timestamp: Date.now(),
    body: { mid: 'mid.7', seq: 7, text: null, ...body },
    link: null,
    ...more,
  },
});

/** The card of a contact as MAX makes it: the number without its plus. */
export const cardOf = (phone: string) =>
  'BEGIN:VCARD\r\nVERSION:3.0\r\nPRODID:ez-vcard 0.10.3\r\n' +
  `TEL;TYPE=cell:${phone.replace('+', '')}\r\nFN:Анна\r\nEND:VCARD\r\n`;
export const signed = (card: string, token = BOT.token) =>
  createHmac('sha256', token).update(card).digest('hex');

/** A contact, which is the person's own unless the parts of its payload say something else. */
export const contact = (user: number, phone: string, payload: object = {}) => ({
  type: 'contact',
  payload: {
    vcf_info: cardOf(phone),
    hash: signed(cardOf(phone)),
    max_info: person(user),
    ...payload,
  },
});
export const shared = (user: number, phone: string, payload: object = {}, more: object = {}) =>
  wrote(user, { attachments: [contact(user, phone, payload)] }, more);
