import { cutText } from './cut-text.ts';
import { isBlank } from './invisible.ts';

/** What a program takes from and gives to the platform. */
export const INTEGRATION_DIRECTIONS = ['messages', 'contacts', 'statuses'] as const;
export type IntegrationDirection = (typeof INTEGRATION_DIRECTIONS)[number];

/** How a program is connected: by an adapter of its own, an inbound URL, REST hooks, or calls of the API. */
const INTEGRATION_WAYS = ['bitrix24', 'crm', 'hooks', 'api'] as const;
export type IntegrationWay = (typeof INTEGRATION_WAYS)[number];

/** What the programs are for. */
export const INTEGRATION_GROUPS = [
  'crm',
  'booking',
  'accounting',
  'site',
  'shop',
  'school',
  'clinic',
  'connector',
] as const;
export type IntegrationGroup = (typeof INTEGRATION_GROUPS)[number];

export interface CatalogueItem {
  /** Also the name of its page in the documentation, `integrations/{key}`. */
  key: string;
  title: string;
  /** The title in languages with the Latin alphabet. */
  latin: string;
  group: IntegrationGroup;
  directions: readonly IntegrationDirection[];
  way: IntegrationWay;
  /** Programs that are offered in Russia only are not in the catalogue of the other brand. */
  brands: readonly ('main' | 'alternate')[];
}

const [MESSAGES, CONTACTS, STATUSES] = INTEGRATION_DIRECTIONS;
const EVERYWHERE = ['main', 'alternate'] as const;
const RUSSIAN = ['main'] as const;

/** As the makers of these programs write them in other languages. */
const LATIN: Record<string, string> = {
  bitrix24: 'Bitrix24',
  moysklad: 'MoySklad',
  '1c-enterprise': '1C:Enterprise',
  '1c-bitrix': '1C-Bitrix: Site Management',
  megaplan: 'Megaplan',
  planfix: 'Planfix',
};

/** The catalogue of integrations, in the order of the cards. */
export const INTEGRATION_CATALOGUE: readonly CatalogueItem[] = [
  item('bitrix24', 'Битрикс24', 'crm', 'bitrix24', [MESSAGES, STATUSES], RUSSIAN),
  item('amocrm', 'amoCRM', 'crm', 'crm', [MESSAGES, STATUSES], RUSSIAN),
  item('yclients', 'YCLIENTS', 'booking', 'crm', [MESSAGES, CONTACTS], RUSSIAN),
  item('retailcrm', 'RetailCRM', 'crm', 'crm', [MESSAGES, STATUSES], EVERYWHERE),
  item('moysklad', 'МойСклад', 'accounting', 'api', [MESSAGES, CONTACTS], RUSSIAN),
  item(
    '1c-enterprise',
    '1С:Предприятие',
    'accounting',
    'api',
    [MESSAGES, CONTACTS, STATUSES],
    RUSSIAN,
  ),
  item('1c-bitrix', '1С-Битрикс: Управление сайтом', 'site', 'api', [MESSAGES, STATUSES], RUSSIAN),
  item('megaplan', 'Мегаплан', 'crm', 'crm', [MESSAGES, STATUSES], RUSSIAN),
  item('alfacrm', 'AlfaCRM', 'crm', 'api', [MESSAGES, CONTACTS], RUSSIAN),
  item('getcourse', 'GetCourse', 'school', 'crm', [MESSAGES, CONTACTS], RUSSIAN),
  item('tilda', 'Tilda', 'site', 'crm', [MESSAGES], EVERYWHERE),
  item('insales', 'InSales', 'shop', 'crm', [MESSAGES, STATUSES], RUSSIAN),
  item('opencart', 'OpenCart', 'shop', 'api', [MESSAGES, STATUSES], EVERYWHERE),
  item('woocommerce', 'WooCommerce', 'shop', 'crm', [MESSAGES, STATUSES], EVERYWHERE),
  item('albato', 'Albato', 'connector', 'hooks', [MESSAGES, CONTACTS, STATUSES], EVERYWHERE),
  item(
    'apix-drive',
    'ApiX-Drive',
    'connector',
    'hooks',
    [MESSAGES, CONTACTS, STATUSES],
    EVERYWHERE,
  ),
  item('zapier', 'Zapier', 'connector', 'hooks', [MESSAGES, CONTACTS, STATUSES], EVERYWHERE),
  item('make', 'Make', 'connector', 'hooks', [MESSAGES, CONTACTS, STATUSES], EVERYWHERE),
  item('dikidi', 'DIKIDI', 'booking', 'api', [CONTACTS, MESSAGES], RUSSIAN),
  item('planfix', 'Планфикс', 'crm', 'crm', [MESSAGES, STATUSES], RUSSIAN),
  item('ident', 'IDENT', 'clinic', 'api', [MESSAGES, CONTACTS], RUSSIAN),
  item('vtiger', 'vTiger', 'crm', 'crm', [MESSAGES, STATUSES], EVERYWHERE),
  item('envycrm', 'EnvyCRM', 'crm', 'crm', [MESSAGES], RUSSIAN),
];

function item(
  key: string,
  title: string,
  group: IntegrationGroup,
  way: IntegrationWay,
  directions: readonly IntegrationDirection[],
  brands: CatalogueItem['brands'],
): CatalogueItem {
  return { key, title, latin: LATIN[key] ?? title, group, way, directions, brands };
}

/** Fields of one call that are read; others are ignored. */
export const MAX_INBOUND_FIELDS = 500;
const MAX_VALUE = 2000;
const MAX_NAME = 200;

/**
 * The plain values of a body under dotted names, those of lists under their index: `{ leads: { add: [{ id: 1 }] } }` is
 * `leads.add.0.id`.
 */
export function inboundFields(body: object): Map<string, string> {
  const fields = new Map<string, string>();
  const read = (value: unknown, name: string): void => {
    if (fields.size >= MAX_INBOUND_FIELDS || name.length > MAX_NAME) return;
    if (typeof value === 'object' && value !== null) {
      for (const key in value)
        if (Object.hasOwn(value, key))
          read((value as Record<string, unknown>)[key], name ? `${name}.${key}` : key);
    } else if (value !== null && value !== undefined)
      fields.set(name, cutText(String(value), MAX_VALUE));
  };
  read(body, '');
  return fields;
}

const NAME = '[\\p{L}\\p{N}_$-][\\p{L}\\p{N}_.$-]{0,99}';
const FIELD = new RegExp(`^${NAME}$`, 'u');
const VARIABLE = new RegExp(`\\{\\{[ ]{0,5}(${NAME})[ ]{0,5}(?:\\|([^{}]*))?\\}\\}`, 'gu');

/** Whether a text can be the name of a field of a call. */
export const isInboundField = (name: string): boolean => FIELD.test(name);

/**
 * The text of a message: `{{ order.number }}` is the value of the field, `{{ order.number|soon }}` that or its default. `missing` is
 * the first field without a value and a default.
 */
export function renderInbound(
  template: string,
  fields: ReadonlyMap<string, string>,
  max: number,
): { text: string; missing: string | null } {
  // A short template with many variables of long values must not become a large text.
  let left = max;
  let missing: string | null = null;
  const text = template.replace(VARIABLE, (_, name: string, fallback?: string) => {
    const given = fields.get(name);
    const filled = given && !isBlank(given) ? given : fallback;
    if (filled === undefined) missing ??= name;
    const value = cutText(filled ?? '', left);
    left -= value.length;
    return value;
  });
  return { text: cutText(text, max), missing };
}

/** A text without variables of ours: braces stand for themselves. */
export const literalText = (text: string): string =>
  text.replaceAll('{', '{{').replaceAll('}', '}}');

/** The name of a message's status at Bitrix24; null if it is not reported. */
export function bitrixStatusOf(status: string): 'delivered' | 'undelivered' | null {
  if (status === 'delivered' || status === 'seen') return 'delivered';
  return status === 'failed' ? 'undelivered' : null;
}

/** Some programs check a URL with a call of this one field before they store it: Tilda and WooCommerce. */
export const isTestCall = (fields: ReadonlyMap<string, string>): boolean =>
  fields.size === 1 && (fields.has('test') || fields.has('webhook_id'));
