import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBook } from '../../../core/sheets/open-book.ts';
import { recipientsOf } from './recipients.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'heliograph-recipients-'))));
afterAll(() => rm(folder, { recursive: true }));

async function read(bytes: string | Uint8Array, phones: 'first' | 'each' = 'each') {
  const path = join(folder, randomBytes(8).toString('hex'));
  await writeFile(path, bytes);
  const book = await openBook(path);
  try {
    return await recipientsOf(book, { phones, country: 'RU' });
  } finally {
    book.close();
  }
}

const ANNA = '+79161234567';
const PYOTR = '+79161234568';

test.each<[string, string, string[]]>([
  ['a column with a name', 'Телефон\n89161234567\n89161234568\n', [ANNA, PYOTR]],
  ['a column without one', '89161234567\n89161234568\n', [ANNA, PYOTR]],
  ['a name that nobody knows', 'Кому не писать\n89161234567\n', [ANNA]],
  ['the second column', 'Код;Кому\n1;89161234567\n2;89161234568\n', [ANNA, PYOTR]],
  ['a title above', 'Отписались\n\nИмя;Телефон\nАнна;89161234567\n', [ANNA]],
  ['several in a cell', 'Телефон\n"89161234567\n89161234568"\n', [ANNA, PYOTR]],
  ['one twice', 'Телефон\n89161234567\n+7 916 123-45-67\n', [ANNA]],
  ['two columns', 'Мобильный;Рабочий телефон\n89161234567;89161234568\n', [ANNA, PYOTR]],
  ['marks of text', `Телефон\n'89161234567\n="+79161234568"\n`, [ANNA, PYOTR]],
  ['a decimal point', 'Телефон\n79161234567.0\n', [ANNA]],
  ['no-break spaces', 'Телефон\n8\u00a0916\u00a0123\u202f45\u202f67\n', [ANNA]],
  ['marks of direction', 'Телефон\n\u200f+7 916 123-45-67\u200e\n', [ANNA]],
])('%s', async (_, text, phones) => {
  expect(await read(text)).toMatchObject({ phones, emails: [], refusedCount: 0 });
});

test('of a person the first is taken where one is enough', async () => {
  const text =
    'Мобильный;Рабочий телефон\n89161234567;89161234568\nнет;"89161234569, 89161234560"\n';
  expect(await read(text, 'first')).toMatchObject({
    phones: [ANNA, '+79161234569'],
    refusedCount: 0,
    several: 1,
  });
});

test('numbers and addresses stand in one column or in two', async () => {
  const expected = { phones: [ANNA], emails: ['a@example.org'], refusedCount: 0 };
  expect(await read('89161234567\na@example.org\n')).toMatchObject(expected);
  expect(await read('a@example.org\n89161234567\n')).toMatchObject(expected);
  expect(await read('Телефон;Почта\n89161234567;A@example.org\n')).toMatchObject(expected);
  expect(await read('Кому;Когда\n89161234567;вчера\na@example.org;\n')).toMatchObject(expected);
});

test('what is no recipient is told, and reaches nobody', async () => {
  const text =
    'Телефон|Имя\n+62 21 5551234,5|A\n+49 30 123456/57|B\n8 495 123-45-67 доб. 12|C\n|D\n#N/A|E\n';
  expect(await read(text)).toMatchObject({
    phones: [],
    refused: ['+62 21 5551234,5', '+49 30 123456/57', '8 495 123-45-67 доб. 12', '#N/A'],
    refusedCount: 4,
  });
});

test('a table without recipients is refused', async () => {
  await expect(read('Имя;Город\nАнна;Москва\n')).rejects.toMatchObject({ code: 'unreadable_file' });
  await expect(read('\n\n')).rejects.toMatchObject({ code: 'unreadable_file' });
});
