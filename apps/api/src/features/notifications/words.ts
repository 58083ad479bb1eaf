import {
  NOTIFICATION_TYPES,
  filledLines,
  foldText,
  isTimeZone,
  isWritten,
  namesCurrency,
  notificationValues,
  notificationText,
  parseRichText,
  writtenTitle,
  type Locale,
  type NotificationType,
  type RichNode,
} from '@heliograph/domain';
import { CATALOGUES } from './catalogues.ts';

export interface Reader {
  locale: Locale;
  /** Null for UTC. */
  timeZone: string | null;
  currency: string;
}

export interface Words {
  title: string;
  lines: string[];
  /** Of a system message: what its author formatted. */
  rich: RichNode[] | null;
}

const SUMS = ['amount', 'balance', 'spent', 'limit', 'zeroLimit', 'paid', 'shortfall'];
const TIME = /^\d{4}-\d{2}-\d{2}T/;

/** A notification in the language, the time zone and the currency of its reader. Values are texts, whatever they contain. */
export function wordsOf(
  type: NotificationType,
  data: Record<string, unknown>,
  reader: Reader,
): Words {
  const texts = CATALOGUES[reader.locale].types[type] ?? notificationText(type, data);
  const values = notificationValues(type, data);
  const { text: written, ...others } = values;
  const rich = isWritten(type) && typeof written === 'string' ? parseRichText(written) : null;
  const say = (name: string, value: string | number, line: string) =>
    format(name, value, line, reader);
  return {
    title: writtenTitle(type, data) ?? texts.title,
    lines: filledLines(texts.text, rich ? others : values, say),
    rich,
  };
}

/** The types whose title contains the text, in any of the languages. */
export function typesTitled(text: string): NotificationType[] {
  const part = foldText(text);
  return NOTIFICATION_TYPES.filter((type) =>
    Object.values(CATALOGUES).some(({ types }) =>
      foldText(types[type]?.title ?? '').includes(part),
    ),
  );
}

function format(name: string, value: string | number, line: string, reader: Reader): string {
  const { locale, timeZone, currency } = reader;
  const { messages, reasons } = CATALOGUES[locale];
  if (SUMS.includes(name) && Number.isFinite(Number(value))) {
    const style = { minimumFractionDigits: 2, maximumFractionDigits: 4 };
    const named = namesCurrency(line) ? style : { ...style, style: 'currency', currency };
    return new Intl.NumberFormat(locale, named as Intl.NumberFormatOptions).format(Number(value));
  }
  if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value);
  if (name === 'reason') return own(reasons, value) ?? value;
  if (name === 'type') return own(messages, value) ?? value;
  if (!TIME.test(value) || Number.isNaN(Date.parse(value))) return value;
  const zone = timeZone && isTimeZone(timeZone) ? timeZone : 'UTC';
  const time = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).format(new Date(value));
  return zone === 'UTC' ? `${time} UTC` : time;
}

const own = (texts: Record<string, string>, key: string): string | undefined =>
  Object.hasOwn(texts, key) ? texts[key] : undefined;
