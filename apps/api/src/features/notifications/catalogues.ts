import type { Locale } from '@heliograph/domain';
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
export interface Catalogue {
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
export const CATALOGUES: Record<Locale, Catalogue> = {
  de: catalogue(de, deCommon, deErrors),
  en: catalogue(en, enCommon, enErrors),
  es: catalogue(es, esCommon, esErrors),
  fr: catalogue(fr, frCommon, frErrors),
  it: catalogue(it, itCommon, itErrors),
  pt: catalogue(pt, ptCommon, ptErrors),
  ru: catalogue(ru, ruCommon, ruErrors),
};
