import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** Access data of the peer, as options of a channel. */
export const WHATSAPP = {
  phoneNumberId: '106540352242922',
  businessAccountId: '102290129340398',
  accessToken: 'EAAJB-a-token-of-a-system-user',
  appSecret: '9f1c-the-secret-of-an-app',
  verifyToken: 'a-token-to-verify-with',
};

const phone = z.string().regex(/^\+?\d{7,15}$/);
const id = z.string().regex(/^media-\d+$/);
const MEDIA = {
  image: z.strictObject({ id, caption: z.string().max(1024).optional() }),
  video: z.strictObject({ id, caption: z.string().max(1024).optional() }),
  audio: z.strictObject({ id }),
  document: z.strictObject({
    id,
    caption: z.string().max(1024).optional(),
    filename: z.string().max(240).optional(),
  }),
};
const header = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('image'), image: z.strictObject({ id }) }),
    z.strictObject({ type: z.literal('video'), video: z.strictObject({ id }) }),
    z.strictObject({ type: z.literal('document'), document: MEDIA.document }),
  ])
  .optional();
const reply = z.strictObject({
  type: z.literal('reply'),
  reply: z.strictObject({ id: z.string().min(1).max(256), title: z.string().min(1).max(20) }),
});
const body = z.strictObject({ text: z.string().min(1).max(1024) });
const Interactive = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('button'),
    header,
    body,
    action: z.strictObject({
      buttons: z
        .array(reply)
        .min(1)
        .max(3)
        .refine((all) => new Set(all.map((one) => one.reply.title)).size === all.length)
        .refine((all) => new Set(all.map((one) => one.reply.id)).size === all.length),
    }),
  }),
  z.strictObject({
    type: z.literal('cta_url'),
    header,
    body,
    action: z.strictObject({
      name: z.literal('cta_url'),
      parameters: z.strictObject({
        display_text: z.string().min(1).max(20),
        url: z.url({ protocol: /^https?$/ }),
      }),
    }),
  }),
]);
const value = z.strictObject({
  type: z.literal('text'),
  parameter_name: z.string().optional(),
  text: z
    .string()
    .min(1)
    .regex(/^(?!.*(\t| {5}))[^\n]*$/),
});
const Component = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('header'),
    parameters: z
      .array(z.union([value, ...(header.unwrap().options as [z.ZodType, z.ZodType, z.ZodType])]))
      .length(1),
  }),
  z.strictObject({ type: z.literal('body'), parameters: z.array(value).min(1) }),
  z.strictObject({
    type: z.literal('button'),
    sub_type: z.enum(['url', 'quick_reply', 'copy_code']),
    index: z.string().regex(/^\d$/),
    parameters: z
      .array(
        z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
          z.strictObject({ type: z.literal('payload'), payload: z.string().min(1).max(128) }),
          z.strictObject({ type: z.literal('coupon_code'), coupon_code: z.string().min(1) }),
        ]),
      )
      .length(1),
  }),
]);
const Template = z.strictObject({
  name: z.string(),
  language: z.strictObject({ code: z.string() }),
  components: z.array(Component).min(1).optional(),
});

const common = {
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual').optional(),
  to: phone,
  biz_opaque_callback_data: z.string().max(512).optional(),
};
/** What Meta's reference allows, and nothing else. */
const Message = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('text'),
    text: z.strictObject({
      body: z.string().min(1).max(4096),
      preview_url: z.boolean().optional(),
    }),
  }),
  z.strictObject({ ...common, type: z.literal('image'), image: MEDIA.image }),
  z.strictObject({ ...common, type: z.literal('video'), video: MEDIA.video }),
  z.strictObject({ ...common, type: z.literal('audio'), audio: MEDIA.audio }),
  z.strictObject({ ...common, type: z.literal('document'), document: MEDIA.document }),
  z.strictObject({ ...common, type: z.literal('interactive'), interactive: Interactive }),
  z.strictObject({ ...common, type: z.literal('template'), template: Template }),
]);
type Message = z.output<typeof Message>;

/** The list in the words of Meta's own refusal. */
const FILE_TYPES = new Set(
  `audio/aac audio/mp4 audio/mpeg audio/amr audio/ogg audio/opus application/vnd.ms-powerpoint application/msword
   application/vnd.openxmlformats-officedocument.wordprocessingml.document application/pdf text/plain application/vnd.ms-excel
   image/jpeg image/png image/webp video/mp4 video/3gpp`.split(/\s+/),
);

export interface PeerTemplate {
  name: string;
  language: string;
  status?: string;
  category?: string;
  parameter_format?: string;
  components: Record<string, unknown>[];
}

/** Answers in place of that of the peer. */
export interface Scripted {
  status?: number;
  body?: unknown;
  /** Closes the connection after the request, or never answers. */
  fault?: 'close' | 'silent';
}

export const metaError = (code: number, status = 400, more: object = {}): Scripted => ({
  status,
  body: {
    error: {
      message: `(#${code}) Refused`,
      type: 'OAuthException',
      code,
      fbtrace_id: 'x',
      ...more,
    },
  },
});

/** A number of Meta's Cloud API that refuses what its reference does not allow. */
export class WhatsappPeer {
  url = '';
  readonly sent: Message[] = [];
  readonly uploads: { type: string; filename: string; bytes: Buffer }[] = [];
  /** Calls by method and last part of the path. */
  readonly calls: string[] = [];
  /** Answers of the next calls for messages. */
  readonly script: Scripted[] = [];
  templates: PeerTemplate[] = [];
  pageSize = 2;
  /** People who have written within the last day; all if undefined. */
  window: Set<string> | undefined;
  /** Of people without WhatsApp. */
  readonly strangers = new Set<string>();
  private server?: Server;

  async listen(): Promise<string> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        void (async () => {
          const { method = '', url = '', headers } = request;
          const bytes = Buffer.concat(chunks);
          const answer = await this.answer(method, new URL(url, 'http://peer'), headers, bytes);
          if (answer.fault === 'close') return request.socket.destroy();
          if (answer.fault === 'silent') return;
          response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
          const { body: said } = answer;
          response.end(typeof said === 'string' ? said : JSON.stringify(said));
        })();
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

  /** Posts what has happened, signed as Meta signs. */
  post(address: string, changes: object[], secret = WHATSAPP.appSecret): Promise<Response> {
    const text = JSON.stringify(callOf(changes));
    const signature = createHmac('sha256', secret).update(text).digest('hex');
    return fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
      body: text,
    });
  }

  private async answer(
    method: string,
    { pathname, searchParams }: URL,
    headers: IncomingHttpHeaders,
    bytes: Buffer,
  ): Promise<Scripted> {
    const [, version, object, edge] = pathname.split('/');
    this.calls.push(`${method} ${edge}`);
    if (headers.authorization !== `Bearer ${WHATSAPP.accessToken}`)
      return metaError(190, 401, { message: `Malformed access token ${headers.authorization}` });
    const called = `${method} ${object}/${edge}`;
    if (version !== 'v23.0') return metaError(2500, 400);
    if (called === `GET ${WHATSAPP.businessAccountId}/message_templates`)
      return this.page(searchParams);
    if (called === `POST ${WHATSAPP.phoneNumberId}/media`) return this.upload(headers, bytes);
    if (called !== `POST ${WHATSAPP.phoneNumberId}/messages`)
      return metaError(100, 400, { error_subcode: 33 });
    const scripted = this.script.shift();
    if (scripted) return scripted;
    if (headers['content-type'] !== 'application/json') return metaError(100);
    return this.take(JSON.parse(bytes.toString()));
  }

  private take(given: unknown): Scripted {
    const { data, error } = Message.safeParse(given);
    if (!data) return metaError(100, 400, { error_data: { details: z.prettifyError(error) } });
    const number = data.to.replace('+', '');
    if (this.strangers.has(number)) return metaError(131026);
    if (data.type === 'template') {
      const refusal = this.check(data.template);
      if (refusal) return refusal;
    } else if (this.window && !this.window.has(number))
      return metaError(131047, 400, {
        error_data: { messaging_product: 'whatsapp', details: 'More than 24 hours have passed.' },
      });
    if (
      JSON.stringify(data)
        .match(/"id":"media-(\d+)"/g)
        ?.some((one) => !this.has(one))
    )
      return metaError(131053);
    this.sent.push(data);
    return {
      body: {
        messaging_product: 'whatsapp',
        contacts: [{ input: data.to, wa_id: number }],
        messages: [{ id: `wamid.${this.sent.length}`, message_status: 'accepted' }],
      },
    };
  }

  private has(media: string): boolean {
    return Number(/\d+/.exec(media)![0]) <= this.uploads.length;
  }

  /** A template with as many values as it has places. */
  private check({ name, language, components = [] }: z.output<typeof Template>) {
    const found = this.templates.find((one) => one.name === name && one.language === language.code);
    if (!found) return metaError(132001, 404);
    if ((found.status ?? 'APPROVED') !== 'APPROVED') return metaError(132015);
    const of = (type: string) => found.components.find((one) => one.type === type) ?? {};
    const places = (text: unknown) =>
      (typeof text === 'string' ? text.match(/\{\{\w+\}\}/g) : null) ?? [];
    const values = (type: string) => components.find((one) => one.type === type)?.parameters ?? [];
    const { format = 'TEXT', text } = of('HEADER');
    const inHeader =
      format === 'TEXT' ? places(text).map(() => 'text') : [String(format).toLowerCase()];
    const given = (values('header') as { type: string }[]).map(({ type }) => type);
    if (given.join() !== inHeader.join()) return metaError(132012);
    if (values('body').length !== places(of('BODY').text).length) return metaError(132000);
    if (found.parameter_format === 'NAMED') {
      const names = (values('body') as { parameter_name?: string }[]).map(
        (v) => `{{${v.parameter_name}}}`,
      );
      if (names.join() !== places(of('BODY').text).join()) return metaError(132012);
    }
    const buttons = (of('BUTTONS').buttons ?? []) as { type: string; url?: string }[];
    for (const [i, { type, url }] of buttons.entries()) {
      const own = components.find((one) => one.type === 'button' && one.index === String(i));
      const isNeeded = type === 'COPY_CODE' || places(url).length > 0;
      if (isNeeded && !own) return metaError(131008);
      if (own?.type !== 'button') continue;
      const wanted = { URL: 'url', QUICK_REPLY: 'quick_reply', COPY_CODE: 'copy_code' }[type];
      if (own.sub_type !== wanted || (type === 'URL' && !isNeeded)) return metaError(132018);
    }
    return undefined;
  }

  private async upload(headers: IncomingHttpHeaders, bytes: Buffer): Promise<Scripted> {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();
    const file = form.get('file');
    if (form.get('messaging_product') !== 'whatsapp' || !(file instanceof File))
      return metaError(100);
    if (!FILE_TYPES.has(file.type) || form.get('type') !== file.type) return metaError(100);
    const { name: filename, type } = file;
    this.uploads.push({ type, filename, bytes: Buffer.from(await file.arrayBuffer()) });
    return { body: { id: `media-${this.uploads.length}` } };
  }

  private page(query: URLSearchParams): Scripted {
    const from = Number(query.get('after') ?? 0);
    const fields = query.get('fields')!.split(',');
    const data = this.templates.slice(from, from + this.pageSize).map((template) => {
      const whole: Record<string, unknown> = { status: 'APPROVED', id: '1', ...template };
      return Object.fromEntries(Object.entries(whole).filter(([name]) => fields.includes(name)));
    });
    const after = from + this.pageSize;
    const cursors = { before: String(from), after: String(after) };
    const isLast = after >= this.templates.length;
    return { body: { data, paging: { cursors, ...(!isLast && { next: 'https://elsewhere' }) } } };
  }
}

/** Changes as Meta posts them. */
export const callOf = (changes: object[]) => ({
  object: 'whatsapp_business_account',
  entry: changes.map((change) => ({ id: WHATSAPP.businessAccountId, changes: [change] })),
});

/** What happened to messages of the number. */
export const happened = (value: object, phoneNumberId = WHATSAPP.phoneNumberId) => ({
  field: 'messages',
  value: {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
    ...value,
  },
});
