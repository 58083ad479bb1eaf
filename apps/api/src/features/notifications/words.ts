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

import deCommon from '../../../../cabinet/src/locales/de/common.json' with { type: 'json' };
import deErrors from '../../../../cabinet/src/locales/de/errors.json' with { type: 'json' };
import de from '../../../../cabinet/src/locales/de/notifications.json' with { type: 'json' };
import enCommon from '../../../../cabinet/src/locales/en/common.json' with { type: 'json' };
import enErrors from '../../../../cabinet/src/locales/en/errors.json' with { type: 'json' };
import en from '../../../../cabinet/src/locales/en/notifications.json' with { type: 'json' };
import esCommon from '../../../../cabinet/src/locales/es/common.json' with { type: 'json' };
import esErrors from '../../../../cabinet/src/locales/es/errors.json' with { type: 'json' };
import es from '../../../../cabinet/src/locales/es/notifications.json' with { type: 'json' };
import frCommon from '../../../../cabinet/src/locales/fr/common.json' with { type: 'json' };
import frErrors from '../../../../cabinet/src/locales/fr/errors.json' with { type: 'json' };
import fr from '../../../../cabinet/src/locales/fr/notifications.json' with { type: 'json' };
import itCommon from '../../../../cabinet/src/locales/it/common.json' with { type: 'json' };
import itErrors from '../../../../cabinet/src/locales/it/errors.json' with { type: 'json' };
import it from '../../../../cabinet/src/locales/it/notifications.json' with { type: 'json' };
import ptCommon from '../../../../cabinet/src/locales/pt/common.json' with { type: 'json' };
import ptErrors from '../../../../cabinet/src/locales/pt/errors.json' with { type: 'json' };
import pt from '../../../../cabinet/src/locales/pt/notifications.json' with { type: 'json' };
import ruCommon from '../../../../cabinet/src/locales/ru/common.json' with { type: 'json' };
import ruErrors from '../../../../cabinet/src/locales/ru/errors.json' with { type: 'json' };
import ru from '../../../../cabinet/src/locales/ru/notifications.json' with { type: 'json' };

/** The texts of notifications in one language. */
interface Catalogue {
  types: Record<string, { title: string; text: string }>;
  /** Names of message types. */
  messages: Record<string, string>;
  /** Texts of reasons, by their code. */
  reasons: Record<string, string>;
}

const catalogue = (
  { types, reason }: { types: Catalogue['types']; reason: Record<string, string> },
  { type }: { type: Record<string, string> },
  { code }: { code: Record<string, string> },
): Catalogue => ({ types, messages: type, reasons: { ...code, ...reason } });

/** Those of the cabinet: a notification has the same words on a page, in an e-mail and in a chat. */
const CATALOGUES: Record<Locale, Catalogue> = {
  de: catalogue(de, deCommon, deErrors),
  en: catalogue(en, enCommon, enErrors),
  es: catalogue(es, esCommon, esErrors),
  fr: catalogue(fr, frCommon, frErrors),
  it: catalogue(it, itCommon, itErrors),
  pt: catalogue(pt, ptCommon, ptErrors),
  ru: catalogue(ru, ruCommon, ruErrors),
};
