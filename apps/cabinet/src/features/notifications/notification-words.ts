import type { Notification } from '@heliograph/contract';
import {
  filledLines,
  isWritten,
  namesCurrency,
  notificationPlace,
  notificationValues,
  parseRichText,
  plainRichText,
  writtenTitle,
  type RichNode,
} from '@heliograph/domain';
import type { TFunction } from 'i18next';
import type { Formats } from '../../core/formats.ts';
import { notificationColor } from '../../core/notification-color.ts';

export const colorOf = ({ type }: Pick<Notification, 'type'>) => notificationColor(type);

/** Where the thing is that a notification is about; null when it is about none, or about one that it does not name. */
export const placeOf = ({ type, data }: Pick<Notification, 'type' | 'data'>): string | null =>
  notificationPlace(type, data);

const SUMS = ['amount', 'balance', 'spent', 'limit', 'zeroLimit', 'paid', 'shortfall'];

/** A value formatted for a sentence; a line that names the currency takes the number alone. */
function say(t: TFunction, formats: Formats, name: string, value: string | number, line: string) {
  if (SUMS.includes(name) && Number.isFinite(Number(value)))
    return namesCurrency(line) ? formats.amount(Number(value)) : formats.money(Number(value));
  if (typeof value === 'number') return formats.number(value);
  if (name === 'reason') {
    const reason = t(`notifications:reason.${value}`, { defaultValue: '' });
    return reason || t(`errors:code.${value}`, { defaultValue: value });
  }
  if (name === 'type') return t(`common:type.${value}`, { defaultValue: value });
  const isTime = /^\d{4}-\d{2}-\d{2}T/.test(value);
  return isTime ? formats.dateTime(value) : value;
}

export interface Words {
  title: string;
  lines: string[];
  /** What the author of a system message formatted, which follows the lines. */
  rich?: RichNode[];
}

/** Title and lines in the reader's language; a line whose value is not known is left out. */
export function wordsOf(
  t: TFunction,
  formats: Formats,
  { type, data, title, text }: Pick<Notification, 'type' | 'data' | 'title' | 'text'>,
): Words {
  const raw = t(`notifications:types.${type}.text`, {
    skipInterpolation: true,
    defaultValue: text,
  });
  const values = notificationValues(type, data);
  const { text: written, ...others } = values;
  const rich = isWritten(type) && typeof written === 'string' ? parseRichText(written) : null;
  return {
    title:
      writtenTitle(type, data) ?? t(`notifications:types.${type}.title`, { defaultValue: title }),
    lines: filledLines(raw, rich ? others : values, (name, value, line) =>
      say(t, formats, name, value, line),
    ),
    ...(rich && { rich }),
  };
}

/** In one line, for lists and toasts. */
export const summaryOf = ({ lines, rich }: Words): string =>
  [...lines, ...(rich ? plainRichText(rich).split('\n').filter(Boolean) : [])].join(' · ');
