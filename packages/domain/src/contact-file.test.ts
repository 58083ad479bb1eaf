import { expect, test } from 'vitest';
import { ContactFile, type FileContact } from './contact-file.ts';
import { contactFields, type ContactField } from './contact-headers.ts';
import { CONTACT_VARIABLES } from './variables.ts';

const fields = CONTACT_VARIABLES.map((field) => [field, null]);
const EMPTY = { ...Object.fromEntries(fields), tags: [] } as FileContact;
const contact = (values: Partial<FileContact>): FileContact => ({
  ...EMPTY,
  ...values,
});

const NAMES: Partial<Record<ContactField, string>> = {
  phone: 'Phone',
  email: 'E-mail',
  lastName: 'Last name',
  firstName: 'First name',
  middleName: 'Middle name',
  date: 'Date',
  gender: 'Gender',
  tags: 'Tags',
};

function written(titles: Record<string, string>, ...contacts: FileContact[]): string[][] {
  const file = new ContactFile({
    nameOf: (field) => titles[field] ?? NAMES[field] ?? `Field ${Number(field.slice(6))}`,
    titleOf: (field) => titles[field],
    genderOf: (gender) => gender.toUpperCase(),
  });
  for (const one of contacts) file.add(one);
  expect(file.text.startsWith('\uFEFF"')).toBe(true);
  return file.text
    .slice(1)
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.slice(1, -1).split('";"'));
}

test('a file has the known fields, those with a name and those with a value', () => {
  const rows = written(
    { custom02: 'City' },
    contact({ phone: '+79161234567', gender: 'female', tags: ['vip', 'a, b'] }),
    contact({ email: 'a@example.com', date: '1990-12-31', custom07: 'seven "7"' }),
    contact({ phone: '+79161234568', custom02: '=1+1' }),
  );
  const known = ['Phone', 'E-mail', 'Last name', 'First name', 'Middle name', 'date', 'Gender'];
  expect(rows).toEqual([
    [...known, 'Tags', 'City', 'Field 7'],
    ["'+79161234567", '', '', '', '', '', 'FEMALE', 'vip; ""a, b""', ''],
    ['', 'a@example.com', '', '', '', '1990-12-31', '', '', '', 'seven ""7""'],
    ["'+79161234568", '', '', '', '', '', '', '', "'=1+1", ''],
  ]);
});

test('a name that an import would not find, or would take for another field, gives way to the code', () => {
  const titles = {
    custom01: 'Phone 2',
    custom02: '=City',
    custom03: 'Città',
    custom04: 'citta',
    custom05: 'custom06',
    custom06: 'Size',
  };
  const [header] = written(titles, contact({ phone: '+79161234567' }));
  expect(header!.slice(8)).toEqual([
    'custom01',
    'custom02',
    'custom03',
    'custom04',
    'custom05',
    'Size',
  ]);
  expect(contactFields(header!)[0]).toBe('phone');
});
