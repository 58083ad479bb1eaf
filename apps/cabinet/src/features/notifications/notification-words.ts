import type { Notification } from '@heliograph/contract';
import { notificationTone } from '@heliograph/domain';
import type { TFunction } from 'i18next';
import type { Formats } from '../../core/formats.ts';

const TONE_COLOR = {
  success: 'green',
  error: 'red',
  info: 'blue',
  neutral: 'gray',
} as const;

export const colorOf = ({ type }: Pick<Notification, 'type'>) => TONE_COLOR[notificationTone(type)];

/** Pages of what notifications are about, by the beginning of their type; a thing is opened by its id. */
const PLACES: [type: RegExp, path: string][] = [
  [/^SendingsBulk/, '/messages/tasks?id='],
  [/^Sendername/, '/settings/sendernames?id='],
  [/^Webhook/, '/settings/webhooks?log='],
  [/^Pattern/, '/messages/templates?id='],
  [/^ContactsImport/, '/contacts/'],
  [/^Operations/, '/messages/tasks?id='],
  [/^Report/, '/reports?id='],
  [/^Token/, '/account/tokens?id='],
];

/** Where the thing is that a notification is about; null when it is about none, or about one that it does not name. */
export function placeOf({ type, data }: Pick<Notification, 'type' | 'data'>): string | null {
  if (type === 'TariffUpdate') return '/tariffs';
  if (type === 'AuthNewDevice' || type === 'AuthRecoveryCodeUsed') return '/account/telemetry';
  if (type === 'AuthEmail') return '/account/profile';
  if (type === 'AuthPassword') return '/account/telemetry';
  const [, path] = PLACES.find(([types]) => types.test(type)) ?? [];
  const id = data.id ?? data.ListId;
  return path && typeof id === 'string' ? path + encodeURIComponent(id) : null;
}

/** True for the reader's own action: its page has already confirmed it. */
export const isOwnAction = ({ type, data }: Pick<Notification, 'type' | 'data'>): boolean =>
  type === 'SendingsBulkCreated' ||
  type === 'SendingsBulkResumed' ||
  (type === 'SendingsBulkPaused' && !data.reason);

/** A value formatted for a sentence. */
function say(t: TFunction, formats: Formats, name: string, value: string | number): string {
  if (['amount', 'balance', 'spent', 'limit'].includes(name) && Number.isFinite(Number(value))) {
    return formats.money(Number(value));
  }
  if (typeof value === 'number') return formats.number(value);
  if (name === 'reason') {
    const reason = t(`notifications:reason.${value}`, { defaultValue: '' });
    return reason || t(`errors:code.${value}`, { defaultValue: value });
  }
  if (name === 'type') return t(`common:type.${value}`, { defaultValue: value });
  const isTime = /^\d{4}-\d{2}-\d{2}T/.test(value);
  return isTime ? formats.dateTime(value) : value;
}

/** Title and lines in the reader's language; a line whose value is not known is left out. */
export function wordsOf(
  t: TFunction,
  formats: Formats,
  { type, data, title, text }: Pick<Notification, 'type' | 'data' | 'title' | 'text'>,
): { title: string; lines: string[] } {
  const raw = t(`notifications:types.${type}.text`, {
    skipInterpolation: true,
    defaultValue: text,
  });
  const lines = raw.split('\n').flatMap((line) => {
    let isWhole = true;
    const filled = line.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = data[name];
      if (typeof value === 'string' || typeof value === 'number') {
        return say(t, formats, name, value);
      }
      isWhole = false;
      return '';
    });
    return isWhole && filled ? [filled] : [];
  });
  return { title: t(`notifications:types.${type}.title`, { defaultValue: title }), lines };
}
