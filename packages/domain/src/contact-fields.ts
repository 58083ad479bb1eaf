import type { ContactVariable } from './variables.ts';

/** What a column of an import can hold. */
export type ContactField = ContactVariable;

export type Gender = 'male' | 'female';

const ALIASES: Record<string, string> = {
  phone:
    'phone,tel,telephone,mobile,msisdn,number,cell,phonenumber,mobilephone,cellphone,mobilenumber,' +
    'телефон,номер,номертелефона,моб,мобильный,сотовый,тел,телефонныйномер,мобильныйтелефон,сотовыйтелефон',
  email:
    'email,mail,emailaddress,почта,элпочта,имейл,емейл,имэйл,электроннаяпочта,адресэлектроннойпочты',
  firstName: 'name,firstname,givenname,имя',
  lastName: 'lastname,surname,familyname,фамилия',
  middleName: 'middlename,patronymic,отчество',
  date: 'date,birthday,birthdate,dateofbirth,dob,дата,датарождения,деньрождения,др',
  gender: 'gender,sex,пол',
};

/** Cells that hold more are neither a name of a column nor a date nor a gender. */
const MAX_CELL = 100;

const FIELD_BY_ALIAS = new Map<string, ContactField>();
for (const [field, aliases] of Object.entries(ALIASES)) {
  for (const alias of aliases.split(',')) FIELD_BY_ALIAS.set(alias, field as ContactField);
}

/**
 * The field a column of an import means, or null for a column that is to be passed over. Case,
 * spaces, underscores, dots and hyphens do not count: `contactField('Номер телефона')` is 'phone',
 * `contactField('custom_1')` is 'custom01'.
 */
export function contactField(header: string): ContactField | null {
  if (header.length > MAX_CELL) return null;
  const key = header.toLowerCase().replace(/[\s_.\-:"'\ufeff]/g, '');
  const custom = /^(?:custom|поле)(?:0?([1-9])|(1\d|20))$/.exec(key);
  if (!custom) return FIELD_BY_ALIAS.get(key) ?? null;
  return `custom${(custom[1] ?? custom[2]!).padStart(2, '0')}` as ContactField;
}

const MALE = new Set(['м', 'муж', 'мужской', 'm', 'male']);
const FEMALE = new Set(['ж', 'жен', 'женский', 'f', 'female']);

/** `parseGender('Муж.')` is 'male'; null when it is neither. */
export function parseGender(text: string): Gender | null {
  if (text.length > MAX_CELL) return null;
  const key = text.trim().toLowerCase().replace(/\.$/, '');
  if (MALE.has(key)) return 'male';
  return FEMALE.has(key) ? 'female' : null;
}

const DATE_FORMATS = [
  { pattern: /^(\d{4})-(\d{2})-(\d{2})$/, order: [1, 2, 3] },
  { pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, order: [3, 2, 1] },
  { pattern: /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, order: [3, 1, 2] },
] as const;

/**
 * A date of an import as yyyy-MM-dd, or null. Dots mean day first, slashes month first; a day the
 * calendar does not have is null. `parseContactDate('29.02.2024')` is '2024-02-29'.
 */
export function parseContactDate(text: string): string | null {
  if (text.length > MAX_CELL) return null;
  const trimmed = text.trim();
  for (const { pattern, order } of DATE_FORMATS) {
    const found = pattern.exec(trimmed);
    if (found) return isoDate(...(order.map((i) => Number(found[i])) as [number, number, number]));
  }
  return null;
}

function isoDate(year: number, month: number, day: number): string | null {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  if (year < 1 || days === undefined || day < 1 || day > days) return null;
  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}
