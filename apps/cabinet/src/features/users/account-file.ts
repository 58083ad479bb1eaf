import type { AccountChangesPreview, AccountFieldValue } from '@heliograph/contract';
import type { AccountFileField } from '@heliograph/domain';
import type { TFunction } from 'i18next';
import { csvText } from '../../core/csv-text.ts';
import type { Formats } from '../../core/formats.ts';
import type { NamedChange } from './users.api.ts';

/** Accounts of a file that change, as they are sent. */
export const changesIn = ({ rows }: AccountChangesPreview): NamedChange[] =>
  rows.flatMap(({ Owner, change }) =>
    Owner && change ? [{ username: Owner.username, change }] : [],
  );

/** Values of the sample: of one account, with the parts that it clears left out, and of another one. */
const SAMPLE: Record<AccountFileField, [string, string]> = {
  account: ['mira@tea.example', 'anna'],
  tariff: ['Standard', '-'],
  overdraft: ['500', ''],
  types: ['sms, viber', '-'],
  sendernamesCheck: ['sms', ''],
  lookupDays: ['7', '-'],
  manager: ['', '-'],
  isTest: ['', '1'],
  day: ['1000', '-'],
  month: ['20000', ''],
  timeZone: ['Europe/Berlin', ''],
  suspension: ['', '-'],
};

/** A file with headers in the user's language. */
export function sampleOf(t: TFunction, fields: readonly AccountFileField[]): string {
  return csvText([
    fields.map((field) => t(`accountFiles:fields.${field}`)),
    fields.map((field) => SAMPLE[field][0]),
    fields.map((field) => SAMPLE[field][1]),
  ]);
}

/** Fields that are those of the installation, unless the account has its own. */
const OF_INSTALLATION: readonly AccountFileField[] = ['types', 'sendernamesCheck', 'lookupDays'];

/** A value as a person reads it: names of types, titles, yes or no, a number or a text. */
export function valueText(
  t: TFunction,
  formats: Pick<Formats, 'amount' | 'number'>,
  field: AccountFileField,
  value: AccountFieldValue,
): string {
  if (value === null && OF_INSTALLATION.includes(field)) return t('users:account.currencyDefault');
  if (value === null) return t('accountFiles:none');
  if (typeof value === 'boolean') return t(value ? 'users:many.on' : 'users:many.off');
  if (typeof value === 'number')
    return field === 'lookupDays' ? formats.number(value) : formats.amount(value);
  if (!Array.isArray(value)) return value;
  return value.map((one) => (field === 'tariff' ? one : t(`common:type.${one}`))).join(', ');
}
