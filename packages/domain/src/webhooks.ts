/**
 * Events that webhooks report, each with an example of its `data`. The fields of the example are the variables of body
 * templates: `{{status}}`, `{{error.code}}`.
 */
export const WEBHOOK_EVENTS = {
  'sendings.status': {
    id: '01930000-0000-7000-8000-0000000000a1',
    chainId: '01930000-0000-7000-8000-0000000000a1',
    groupId: null,
    type: 'sms',
    recipient: '+79990000000',
    sender: 'MIRTEA',
    status: 'delivered',
    error: { code: null, message: null },
    segments: 1,
    price: 3.5,
    currency: 'RUB',
    operator: { mcc: '250', mnc: '01', name: 'MTS' },
    callbackData: 'order-1042',
    sentAt: '2026-11-22T09:15:00.000Z',
    deliveredAt: '2026-11-22T09:15:02.000Z',
    seenAt: null,
  },
  'sendingsIncoming.created': {
    id: '01930000-0000-7000-8000-0000000000b1',
    type: 'sms',
    from: '+79990000000',
    to: 'MIRTEA',
    text: 'Yes, please',
    SendingId: '01930000-0000-7000-8000-0000000000a1',
  },
  'inboundRules.matched': {
    id: '01930000-0000-7000-8000-0000000000b1',
    type: 'sms',
    from: '+79990000000',
    to: 'MIRTEA',
    text: 'PRICE please',
    SendingId: '01930000-0000-7000-8000-0000000000a1',
    rule: { id: '01930000-0000-7000-8000-0000000000b2', title: 'Prices' },
  },
  'tasks.state': {
    id: '01930000-0000-7000-8000-0000000000c1',
    title: 'Autumn sale',
    type: 'sendings:bulk',
    state: 'completed',
    reason: null,
  },
  'sendernames.moderation': {
    id: '01930000-0000-7000-8000-0000000000d1',
    name: 'MIRTEA',
    type: 'sms',
    moderation: 'approved',
    comment: null,
  },
  'templates.moderation': {
    id: '01930000-0000-7000-8000-0000000000e1',
    title: 'Order is ready',
    moderation: 'approved',
    comment: null,
  },
  'otpSessions.state': {
    id: '01930000-0000-7000-8000-0000000000b7',
    widgetId: '01930000-0000-7000-8000-0000000000b8',
    recipient: '+79990000000',
    state: 'confirmed',
    channel: 'sms',
    reason: null,
  },
  'wapi.state': {
    id: '01930000-0000-7000-8000-0000000000c8',
    phone: '+79990000021',
    state: 'authorized',
    isPaid: true,
    expiredAt: '2026-12-22T09:15:00.000Z',
  },
  'billings.balance': {
    id: '01930000-0000-7000-8000-0000000000f1',
    amount: 1000,
    balance: 4250.5,
    currency: 'RUB',
  },
} as const satisfies Record<string, Record<string, unknown>>;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** Statuses that `sendings.status` can report. A pause is a state of the task. */
export const WEBHOOK_STATUSES = [
  'pending',
  'processing',
  'sent',
  'delivered',
  'seen',
  'failed',
] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Why a call failed. */
export const WEBHOOK_ERRORS = [
  'address_refused',
  'dns',
  'refused',
  'connect_timeout',
  'timeout',
  'closed',
  'tls',
  'invalid_answer',
  'network',
  'redirect',
  'status',
  'body',
  'invalid_url',
  'object_removed',
] as const;
export type WebhookError = (typeof WEBHOOK_ERRORS)[number];

/** What a call reports: one event, or several of a batch. */
export interface WebhookReport {
  event: WebhookEvent;
  /** Stable over retries. */
  id: string;
  at: Date;
  data: Record<string, unknown>;
}

/** Seconds after the first attempt at which a call is repeated. */
export const WEBHOOK_RETRY_SECONDS = [
  5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
] as const;
/** Share by which a delay is longer at most, so that calls that failed together are not repeated together. */
const JITTER = 0.1;

/** When a call that has failed `tries` times is repeated; null if it is given up. `random` is from 0 to 1. */
export function nextWebhookTry(
  firstAt: Date,
  tries: number,
  now: Date,
  random = Math.random(),
): Date | null {
  const seconds = WEBHOOK_RETRY_SECONDS[tries - 1];
  if (seconds === undefined) return null;
  const due = firstAt.getTime() + seconds * 1000 * (1 + JITTER * random);
  return new Date(Math.max(due, now.getTime() + 1000));
}

/** Failures in a row after which only single calls are made, at growing intervals. */
export const WEBHOOK_BROKEN_AFTER = 5;
const MAX_PAUSE_SECONDS = 900;

/** Seconds until the next single call to an endpoint that failed so often in a row. */
export function webhookBackoff(failures: number, random = Math.random()): number {
  const doubled = 5 * 2 ** Math.min(failures - WEBHOOK_BROKEN_AFTER, 10);
  return Math.min(doubled, MAX_PAUSE_SECONDS) * (1 + JITTER * random);
}

const VARIABLE = /\{\{[ ]{0,5}([$\w.]{1,60})[ ]{0,5}\}\}/g;

/** Names of the variables in a text, each once. */
export function webhookVariablesIn(template: string): string[] {
  return [...new Set([...template.matchAll(VARIABLE)].map(([, name]) => name!))];
}

/** Variables that every event has, besides the fields of its data. */
const COMMON = ['$id', '$event', '$timestamp', '$data'];

/** All variables of an event. */
export function webhookVariables(event: WebhookEvent): string[] {
  return [...Object.keys(flatten(WEBHOOK_EVENTS[event])), ...COMMON];
}

/** Values of nested objects under dotted names: `{ error: { code: 1 } }` is `{ 'error.code': 1 }`. */
export function flatten(data: Record<string, unknown>, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(flatten(value as Record<string, unknown>, `${prefix}${name}.`))
        : [[`${prefix}${name}`, value]],
    ),
  );
}

type Escape = (value: string) => string;
/** The inside of a JSON string. */
const jsonEscape: Escape = (value) => JSON.stringify(value).slice(1, -1);
const XML: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const xmlEscape: Escape = (value) => value.replace(/[&<>"']/g, (sign) => XML[sign]!);

/** How variables are escaped in a body of this media type; JSON unless it is a form or XML. */
export function webhookEscape(contentType: string | null): Escape {
  const type = contentType?.toLowerCase() ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) return encodeURIComponent;
  return /[/+]xml\b/.test(type) ? xmlEscape : jsonEscape;
}

/** Replaces the variables. Null is empty; a variable that does not exist is empty, too. `{{$data}}` in JSON is the object itself. */
export function renderWebhook(template: string, report: WebhookReport, escape: Escape): string {
  // Most URLs.
  if (!template.includes('{{')) return template;
  const values: Record<string, unknown> = {
    ...flatten(report.data),
    $id: report.id,
    $event: report.event,
    $timestamp: report.at.toISOString(),
  };
  return template.replace(VARIABLE, (_, name: string) => {
    if (name === '$data') {
      const json = JSON.stringify(report.data);
      return escape === jsonEscape ? json : escape(json);
    }
    const value = Object.hasOwn(values, name) ? values[name] : null;
    return value === null || value === undefined ? '' : escape(String(value));
  });
}

/** The body without a template: `{ type, timestamp, data }`; `data` is an array if the webhook takes batches. */
export function standardWebhookBody(reports: WebhookReport[], isBatch: boolean): string {
  const [first] = reports;
  if (!isBatch)
    return JSON.stringify({ type: first!.event, timestamp: first!.at, data: first!.data });
  const data = reports.map(({ at, data: fields }) => ({ ...fields, timestamp: at }));
  return JSON.stringify({ type: first!.event, timestamp: reports.at(-1)!.at, data });
}

/** Segments that URLs resolve, also written with `%2E`: the value of a variable must not choose another path. */
const DOTS_ONLY = /(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi;

function withoutDots(url: string): string {
  const [path] = url.split(/[?#]/, 1);
  return path!.replace(DOTS_ONLY, '') + url.slice(path!.length);
}

/**
 * The URL of a call: its variables are percent-encoded; a segment of its path that would be `.` or `..` is empty. A GET without variables gets
 * the fields as query parameters.
 */
export function webhookUrl(
  template: string,
  method: 'GET' | 'POST',
  report: WebhookReport,
): string {
  const rendered = renderWebhook(template, report, encodeURIComponent);
  const url = rendered === template ? rendered : withoutDots(rendered);
  if (method === 'POST' || webhookVariablesIn(template).length) return url;
  const fields = {
    event: report.event,
    timestamp: report.at.toISOString(),
    ...flatten(report.data),
  };
  const query = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const [plain] = url.split('#');
  return `${plain}${plain!.includes('?') ? '&' : '?'}${query.join('&')}`;
}

export type WebhookUrlRule = 'url' | 'webhook_credentials' | 'webhook_variable';

const HTTP_URL = /^https?:\/\/([^/?#\\\s]+)(?:[/?#][^\s\\]*)?$/i;

/** Why a URL is refused: variables may be in its path and query only. */
export function webhookUrlError(url: string): WebhookUrlRule | null {
  const authority = HTTP_URL.exec(url.replace(VARIABLE, '{{}}'))?.[1];
  if (!authority) return 'url';
  if (authority.includes('{{')) return 'webhook_variable';
  return authority.includes('@') ? 'webhook_credentials' : null;
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
/** Visible ASCII, spaces and tabs: nothing that could end the header. */
const HEADER_VALUE = /^[\t\x20-\x7e]{1,1000}$/;
/** Set by the client itself, or valid for one connection only. */
const RESERVED_HEADER =
  /^(?:host|content-length|content-encoding|transfer-encoding|connection|keep-alive|upgrade|te|trailers?|expect|http2-settings|accept-encoding|proxy-.*|webhook-.*)$/i;

export type WebhookHeaderRule = 'header_name' | 'header_value' | 'header_reserved';

export function webhookHeaderError(name: string, value: string | null): WebhookHeaderRule | null {
  // A header named as the prototype would be lost in every object of headers.
  if (!HEADER_NAME.test(name) || name === '__proto__') return 'header_name';
  if (RESERVED_HEADER.test(name)) return 'header_reserved';
  return value === null || HEADER_VALUE.test(value) ? null : 'header_value';
}

export type WebhookBodyRule = 'webhook_unknown_variable' | 'webhook_json';

/** Why a body template is refused: an unknown variable, or JSON that the example does not make valid. */
export function webhookBodyError(
  template: string,
  event: WebhookEvent,
  contentType: string | null,
): { rule: WebhookBodyRule; name?: string } | null {
  const known = webhookVariables(event);
  const unknown = webhookVariablesIn(template).find((name) => !known.includes(name));
  if (unknown) return { rule: 'webhook_unknown_variable', name: unknown };
  if (contentType !== null && !/[/+]json\b/i.test(contentType)) return null;
  try {
    JSON.parse(renderWebhook(template, webhookExample(event), jsonEscape));
    return null;
  } catch {
    return { rule: 'webhook_json' };
  }
}

const EXAMPLE_AT = new Date('2026-11-22T09:15:02.000Z');
/** The report of the example of an event, for previews and tests of a webhook. */
export const webhookExample = (
  event: WebhookEvent,
  at = EXAMPLE_AT,
  id?: string,
): WebhookReport => ({
  event,
  id: id ?? '01930000-0000-7000-8000-000000000a00',
  at,
  data: WEBHOOK_EVENTS[event],
});
