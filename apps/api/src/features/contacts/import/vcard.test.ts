import { contactLists, contacts, storage, type StoredFile } from '@heliograph/contract';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from '../../../../test/world.ts';

let world: World;
let who: Person;

beforeAll(async () => {
  world = await World.start();
  who = await world.person();
});
afterAll(() => world.stop());

async function imported(bytes: string | Uint8Array) {
  const body = new FormData();
  body.set('file', new Blob([bytes as never]), 'contacts.vcf');
  const { key, type } = (await who.api(storage.create, {
    body: body as never,
    query: { preset: 'sheet' },
  })) as StoredFile;
  expect(type).toBe('text/vcard');
  const { id: ListId } = await who.api(contactLists.create, {
    body: { title: 'People', type: 'regular' },
  });
  const report = await who.api(contacts.import, { body: { ListId, from: { key } } });
  const { data } = await who.api(contacts.find, {
    query: { filter: { ListId }, order: [{ field: 'createdAt', direction: 'asc' }] },
  });
  return { report, data, key };
}
const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n');

test('cards of an old phone: quoted-printable in its charset, soft line breaks, bare types', async () => {
  const { data } = await imported(
    card(
      'VERSION:2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=98=D0=B2=D0=B0=D0=BD=D0=BE=D0=B2;=D0=9F=D1=91=D1=82=',
      '=D1=80;=D0=98=D0=BB=D1=8C=D0=B8=D1=87;;',
      'TEL;HOME:+7 495 123-45-67',
      'TEL;CELL;PREF:8 (916) 123-45-67',
      'TEL;FAX;WORK:+7 495 765-43-21',
      'EMAIL;INTERNET:Petr@Tea.Example',
      'BDAY:19901205',
    ) +
      card(
        'VERSION:2.1',
        'N;CHARSET=WINDOWS-1251;ENCODING=QUOTED-PRINTABLE:=CF=E5=F2=F0=EE=E2=E0;=C0=ED=ED=E0',
        'TEL;CELL:+79161234568',
      ),
  );
  expect(data).toMatchObject([
    {
      phone: '+79161234567',
      email: 'petr@tea.example',
      lastName: 'Иванов',
      firstName: 'Пётр',
      middleName: 'Ильич',
      date: '1990-12-05',
    },
    { phone: '+79161234568', lastName: 'Петрова', firstName: 'Анна' },
  ]);
});

/** Lines of at most so many bytes, each further one begun by a space, as Android and Nextcloud write them. */
function foldedAt(size: number, text: string): Buffer {
  const lines = text.split('\r\n').map((line) => {
    const bytes = Buffer.from(line).toString('latin1');
    return (bytes.match(new RegExp(`.{1,${size}}`, 'gs')) ?? ['']).join('\r\n ');
  });
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

test.each([30, 31, 32, 33])(
  'a line that is broken after %i bytes may end within a letter',
  async (size) => {
    const text = card(
      'VERSION:3.0',
      'N:Константинопольская;Александра;Владиславовна;;',
      'ORG:ООО «Чайный дом № 1»',
      'TEL;TYPE=CELL:+79161234567',
      'NOTE:🍵🍵🍵🍵🍵🍵🍵🍵🍵🍵🍵🍵',
    );
    const { data } = await imported(foldedAt(size, text));
    expect(data).toMatchObject([
      {
        lastName: 'Константинопольская',
        firstName: 'Александра',
        middleName: 'Владиславовна',
        phone: '+79161234567',
      },
    ]);
  },
);

test('a letter over the end of a chunk that is read, and over a line break there', async () => {
  // The break of the last card is at the 65,536 bytes of a chunk, whatever its place in the letter.
  for (let pad = 0; pad < 4; pad++) {
    const before = `BEGIN:VCARD\r\nNOTE:`;
    const after = '\r\nTEL:+79161234567\r\nN:\u00d0';
    const size = 65_536 - before.length - after.length + pad;
    const notes = Array.from({ length: Math.floor(size / 64) }, () => `${'x'.repeat(61)}\r\n `);
    const note = notes.join('') + 'x'.repeat(size % 64);
    const head = Buffer.from(`${before}${note}${after}`, 'latin1');
    const tail = Buffer.from('\r\n \u0098\u00d0\u00bb\u00d1\u008f;\r\nEND:VCARD\r\n', 'latin1');
    const { data } = await imported(Buffer.concat([head, tail]));
    expect(data).toMatchObject([{ lastName: 'Иля', phone: '+79161234567' }]);
  }
});

test('quoted-printable that is broken within a letter, with spaces after the break, and of two bytes a letter', async () => {
  const { data } = await imported(
    card(
      'VERSION:2.1',
      'N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=D0=98=D0=B2=D0=B0=D0=BD=D0=BE=D0=',
      '=B2;=D0=9F=D1=91=D1=82=  ',
      '=D1=80',
      'TEL;CELL:+79161234567',
    ) +
      // The second byte of a letter of Shift_JIS may be one of ASCII, which is not encoded.
      card(
        'VERSION:2.1',
        'N;ENCODING=QUOTED-PRINTABLE;CHARSET=SHIFT_JIS:=83A=83C;=83=5C',
        'TEL;CELL:+79161234568',
      ) +
      card(
        'VERSION:2.1',
        'N;CHARSET=UTF-8;ENCODING=BASE64:0JjQstCw0L3QvtCyO9Cf0ZHRgtGA',
        'TEL;CELL:+79161234569',
      ),
  );
  expect(data).toMatchObject([
    { lastName: 'Иванов', firstName: 'Пётр' },
    { lastName: 'アイ', firstName: 'ソ' },
    { lastName: 'Иванов', firstName: 'Пётр' },
  ]);
});

test('raw letters in the charset that their property names, in a file of none', async () => {
  const bytes = (text: string, charset: string) => iconv.encode(text, charset);
  const { data } = await imported(
    Buffer.concat([
      bytes(card('VERSION:2.1', 'N;CHARSET=UTF-8:Иванов;Пётр', 'TEL:+79161234567'), 'utf-8'),
      bytes(card('VERSION:2.1', 'N;CHARSET=KOI8-R:Петрова;Анна', 'TEL:+79161234568'), 'koi8-r'),
    ]),
  );
  expect(data).toMatchObject([
    { lastName: 'Иванов', firstName: 'Пётр' },
    { lastName: 'Петрова', firstName: 'Анна' },
  ]);
});

test('cards of Apple and Google: folded lines, groups, a photo, escapes, an unknown year', async () => {
  const photo = Array.from({ length: 5000 }, () => ` ${'QUFB'.repeat(18)}`).join('\r\n');
  const { report, data } = await imported(
    card(
      'VERSION:3.0',
      'PRODID:-//Apple Inc.//macOS 15//EN',
      'N:O\\, Brien;Mary\\; Ann;;;',
      'FN:Mary O Brien',
      'item1.TEL;type=pref:+4915112345',
      ' 678',
      'item1.X-ABLabel:_$!<Main>!$_',
      'item2.EMAIL;type=INTERNET:mary@tea.example',
      `PHOTO;ENCODING=b;TYPE=JPEG:QUFB\r\n${photo}`,
      'BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-02',
      'ORG:Tea House;Sales',
    ) + card('VERSION:3.0', 'FN:Иванов Пётр', 'TEL;TYPE=CELL,VOICE:+79161234570'),
  );
  expect(report).toMatchObject({ total: 2, rejected: 0 });
  expect(data).toMatchObject([
    {
      phone: '+4915112345678',
      email: 'mary@tea.example',
      lastName: 'O, Brien',
      firstName: 'Mary; Ann',
      date: null,
    },
    { phone: '+79161234570' },
  ]);
});

test('cards of 4.0: addresses of telephones, quoted types, several numbers, the mobile one first', async () => {
  const { data } = await imported(
    card(
      'VERSION:4.0',
      'N:Doe;Jane;;;',
      'GENDER:F;she',
      'BDAY:1985-04-12T00:00:00Z',
      'TEL;VALUE=uri;TYPE="voice,work":tel:+1-202-555-0143;ext=12',
      'TEL;VALUE=uri;TYPE="voice,home":tel:+1-202-555-0144',
      'TEL;VALUE=uri;PREF=1;TYPE="voice,cell":tel:+1-202-555-0145',
      'EMAIL:mailto:jane@tea.example',
    ),
  );
  expect(data).toMatchObject([
    { phone: '+12025550145', gender: 'female', date: '1985-04-12', email: 'jane@tea.example' },
  ]);
});

test('a company is no person, and the preference of a number is read', async () => {
  const { report, data } = await imported(
    card(
      'VERSION:3.0',
      'N:;;;;',
      'FN:Tea House',
      'ORG:Tea House;Sales',
      'X-ABShowAs:COMPANY',
      'TEL;TYPE=WORK:+74951234567',
    ) +
      card(
        'VERSION:4.0',
        'N:Doe;Jane;;;',
        'FN:Jane Doe',
        'BDAY:19850412T102030Z',
        'TEL;PREF=50;TYPE=cell:+79161234580',
        'TEL;PREF=2;TYPE=cell:+79161234581',
        'TEL;TYPE=cell:+79161234582',
      ),
  );
  expect(report).toMatchObject({ rejected: 0, dropped: {} });
  expect(data).toMatchObject([
    { phone: '+74951234567', firstName: null, lastName: null },
    { phone: '+79161234581', firstName: 'Jane', lastName: 'Doe', date: '1985-04-12' },
  ]);
});

test('a card within a card, cards in UTF-16, a card without a phone', async () => {
  const text =
    card(
      'VERSION:2.1',
      'N:Shef;Anna',
      'AGENT:',
      'BEGIN:VCARD',
      'N:Helper;Ben',
      'TEL:+79161234599',
      'END:VCARD',
      'TEL;CELL:+79161234571',
    ) + card('VERSION:3.0', 'N:Nobody;Nina;;;');
  const { report, data } = await imported(iconv.encode(text, 'utf-16le', { addBOM: true }));
  expect(report).toMatchObject({ total: 1, rejected: 1, reasons: { required: 1 } });
  expect(data).toMatchObject([{ phone: '+79161234571', lastName: 'Shef', firstName: 'Anna' }]);
});

test('the preview names the fields, and a line without end is passed over', async () => {
  const text = card(
    'VERSION:3.0',
    `PHOTO:${'A'.repeat(5_000_000)}`,
    'N:Doe;Jo',
    'TEL:+79161234572',
  );
  const { data, key } = await imported(text);
  expect(data).toMatchObject([{ phone: '+79161234572', firstName: 'Jo' }]);
  const preview = await who.api(contacts.preview, { body: { from: { key } } });
  expect(preview.columns.map(({ field }) => field)).toEqual([
    'phone',
    'email',
    'lastName',
    'firstName',
    'middleName',
    'fullName',
    'date',
    'gender',
    null,
  ]);
});
