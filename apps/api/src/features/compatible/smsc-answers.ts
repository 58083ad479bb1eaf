import { createHash } from 'node:crypto';
import type { Answer } from './call.ts';

/** `fmt`: a sentence, numbers, XML, JSON. */
export const FORMATS = ['0', '1', '2', '3'] as const;
export type SmscFormat = (typeof FORMATS)[number];

/** A field of an answer; absent ones are undefined. */
type Fields = Record<string, string | number | undefined>;

/**
 * The number of a message for clients that keep ids as numbers of 31 bits: a part of a hash of its id. A status is asked for with the
 * phone, so that it need not be unique beyond the messages to one person.
 */
export function numberOf(id: string): number {
  const hash = createHash('sha256').update(id).digest();
  return hash.readUInt32BE(0) >>> 1 || 1;
}

/** An amount as there: `2.50`. */
export const moneyText = (amount: number): string => amount.toFixed(2);

/** An answer in a format; `sentence` is that of format 0, and the values in their order that of format 1. */
export function formatted(format: SmscFormat, fields: Fields, sentence: string): Answer {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  switch (format) {
    case '0':
      return { status: 200, body: sentence };
    case '1':
      return { status: 200, body: present.map(([, value]) => value).join(',') };
    case '2':
      return xml(present);
    case '3':
      return { status: 200, body: Object.fromEntries(present) };
  }
}

/** A refusal; `id` is the client's own. */
export function failed(format: SmscFormat, code: number, text: string, id?: string): Answer {
  const named = { error: text, error_code: code, id };
  if (format === '1') return { status: 200, body: `${id ?? 0},-${code}` };
  return formatted(format, named, `ERROR = ${code} (${text})${id ? `, ID - ${id}` : ''}`);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function xml(fields: [string, string | number | undefined][]): Answer {
  const escaped = (value: unknown) =>
    String(value).replaceAll(/[&<>]/g, (character) => ENTITIES[character]!);
  const lines = fields.map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return {
    status: 200,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<?xml version="1.0" encoding="utf-8"?>\n<result>${lines.join('')}</result>\n`,
  };
}

/** Failures that have a status of their own. */
const FAILURES: Record<string, number> = {
  stopped: -2,
  expired: 3,
  invalid_recipient: 22,
  number_not_found: 22,
  content_rejected: 23,
  blocked: 23,
  blacklisted: 23,
  unsubscribed: 23,
  frequency_cap_reached: 23,
  rejected_sender: 23,
  sender_not_approved: 23,
  insufficient_funds: 24,
  spend_cap_reached: 24,
  landline: 25,
  no_route: 25,
  no_price: 25,
};
const NOT_DELIVERABLE = 20;
const STATUSES: Record<string, number> = { sent: 0, delivered: 1, seen: 2 };
const WAITING = -1;
export const NOT_FOUND = -3;

/** The number of a status. */
export function smscStatus(status: string, code: string | null): number {
  if (status === 'failed') return FAILURES[code ?? ''] ?? NOT_DELIVERABLE;
  return STATUSES[status] ?? WAITING;
}

/** `status_name`, in the language of the service. */
export const STATUS_NAMES: Record<number, string> = {
  [-3]: 'Сообщение не найдено',
  [-2]: 'Остановлено',
  [-1]: 'Ожидает отправки',
  0: 'Передано оператору',
  1: 'Доставлено',
  2: 'Прочитано',
  3: 'Просрочено',
  20: 'Невозможно доставить',
  22: 'Неверный номер',
  23: 'Запрещено',
  24: 'Недостаточно средств',
  25: 'Недоступный номер',
};

/** `err` of a message that was not delivered; 0 of others. */
const ERRORS: Record<string, number> = {
  number_not_found: 1,
  not_a_user: 1,
  absent_subscriber: 6,
  unsupported: 11,
  blocked: 13,
  memory_full: 22,
};
const UNKNOWN_ERROR = 255;
export const smscError = (status: string, code: string | null): number =>
  status === 'failed' ? (ERRORS[code ?? ''] ?? UNKNOWN_ERROR) : 0;

const MOSCOW_MS = 3 * 3_600_000;

/** In the time of Moscow: `26.11.2026 20:04:00`. */
export function moscowTime(at: string): string {
  const [date, time] = new Date(new Date(at).getTime() + MOSCOW_MS).toISOString().split('T');
  return `${date!.split('-').toReversed().join('.')} ${time!.slice(0, 8)}`;
}

const HOUR_MS = 3_600_000;
const MAX_OFFSET_HOURS = 12;

/**
 * `time`: `2611262004` in the time of Moscow, shifted by the hours of `tz`; `01795712709` in seconds of Unix after a zero; `+30` in minutes
 * from now. Undefined for at once, null for what is none.
 */
export function smscTime(text: string, tz: string, now: Date): Date | undefined | null {
  if (text === '' || text === '0') return undefined;
  const minutes = /^\+(\d{1,6})$/.exec(text)?.[1];
  if (minutes) return new Date(now.getTime() + Number(minutes) * 60_000);
  const seconds = /^0(\d{10})$/.exec(text)?.[1];
  if (seconds) return new Date(Number(seconds) * 1000);
  const [, ...parts] = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(text) ?? [];
  const offset = tz === '' ? 0 : Number(tz);
  if (!parts.length || !(Math.abs(offset) <= MAX_OFFSET_HOURS)) return null;
  const [day, month, year, hour, minute] = parts.map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const local = new Date(Date.UTC(2000 + year, month - 1, day, hour, minute));
  const isReal = local.getUTCDate() === day && local.getUTCMonth() === month - 1 && hour < 24;
  return isReal && minute < 60 ? new Date(local.getTime() - MOSCOW_MS - offset * HOUR_MS) : null;
}
