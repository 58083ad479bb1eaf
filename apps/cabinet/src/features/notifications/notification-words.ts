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

/** A value as a sentence says it. */
function say(t: TFunction, formats: Formats, name: string, value: string | number): string {
  if (['amount', 'balance', 'spent', 'limit'].includes(name) && Number.isFinite(Number(value))) {
    return formats.money(Number(value));
  }
  if (typeof value === 'number') return formats.number(value);
  if (name === 'reason') return t(`errors:code.${value}`, { defaultValue: value });
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
