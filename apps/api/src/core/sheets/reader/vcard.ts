import iconv from 'iconv-lite';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { encodingOf } from '../encoding.ts';
import type { Rows } from '../sheet.ts';
import { unreadable } from './file-error.ts';
import type { Table } from './table.ts';

const MARK = /^\u00ef\u00bb\u00bf/;
const BEGIN = /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*BEGIN:VCARD/i;
/** Of an unfolded line; more of it, as of a photo, is passed over. */
const MAX_LINE = 16 * 1024;
/** Of a kind in one card. */
const MAX_VALUES = 20;
/** How a cell says several phones or addresses, as Google's contacts do. */
const SEVERAL = ' ::: ';

export const HEADER = [
  'Phone',
  'Email',
  'Last name',
  'First name',
  'Middle name',
  'Full name',
  'Birthday',
  'Gender',
  'Organization',
];

/** Whether the first bytes are of a card, also in UTF-16. */
export const isVcard = (head: string): boolean => BEGIN.test(head.replaceAll('\0', ''));

/** Contacts of phones and mail programs (vCard 2.1, 3.0 and 4.0), as a table with a row for each card. */
export async function openVcard(path: string): Promise<Table> {
  const encoding = await encodingOf(path, withoutFolds);
  if (!encoding)
    throw unreadable('The file is no text. Export the contacts as .vcf or .csv again.');
  const { size } = await stat(path);
  let file: ReadStream | undefined;
  const open = () => (file = createReadStream(path));
  return {
    delimiter: ';',
    sheets: [],
    rows: (_, most) => rows(open, encoding, most),
    ratio: () => (file ? Math.min(1, file.bytesRead / size) : 0),
  };
}

async function* rows(open: () => ReadStream, encoding: string, most = Infinity): Rows {
  let n = 1;
  yield { n, cells: [...HEADER] };
  let card: Property[] = [];
  /** Cards inside of a card, as of an assistant, are passed over. */
  let depth = 0;
  const charset = isWide(encoding) ? 'utf-8' : encoding;
  for await (const line of unfolded(physicalLines(open(), encoding))) {
    const property = propertyOf(line, charset);
    if (!property) continue;
    const { name, value } = property;
    const isCard = /^VCARD$/i.test(value.trim());
    if (name === 'BEGIN' && isCard) {
      if (++depth === 1) card = [];
    } else if (name === 'END' && isCard) {
      depth = Math.max(0, depth - 1);
      if (depth) continue;
      if (n >= most) return;
      yield { n: ++n, cells: cellsOf(card) };
    } else if (depth === 1 && READ.has(name) && card.length < READ.size * MAX_VALUES) {
      card.push(property);
    }
  }
}

const isWide = (encoding: string) => encoding.startsWith('utf-16');

/** Programs break lines after so many bytes, which may be inside of a letter. */
async function* withoutFolds(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept = '';
  for await (const chunk of file) {
    const bytes = kept + chunk.toString('latin1');
    kept = /\r?\n?$/.exec(bytes)![0];
    const whole = bytes.slice(0, bytes.length - kept.length).replace(/\r?\n[ \t]/g, '');
    if (whole) yield Buffer.from(whole, 'latin1');
  }
}

/** Each byte is a character, so that what is broken inside of a letter can be joined. Those of UTF-16 become UTF-8. */
async function* physicalLines(file: ReadStream, encoding: string): AsyncGenerator<string> {
  let line = '';
  const isUtf16 = isWide(encoding);
  const bytesOf = (text: string) =>
    (isUtf16 ? Buffer.from(text).toString('latin1') : text.replace(MARK, '')).replace(/\r$/, '');
  const add = (piece: string) => {
    if (line.length < MAX_LINE) line += piece.slice(0, MAX_LINE - line.length);
  };
  try {
    const pieces = file.pipe(iconv.decodeStream(isUtf16 ? encoding : 'latin1'));
    for await (const chunk of pieces as AsyncIterable<string>) {
      let at = 0;
      for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', at)) {
        add(chunk.slice(at, end));
        yield bytesOf(line);
        line = '';
        at = end + 1;
      }
      add(chunk.slice(at));
    }
    if (line) yield bytesOf(line);
  } finally {
    file.destroy();
  }
}

/** What is before the value is within so many characters, or the line is of no use. */
const MAX_HEAD = 300;
const isPrintable = (head: string) => /^[^:]{0,200};(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(head);

/** In quoted-printable a line goes on in the next. */
const SOFT_BREAK = /=[ \t]*$/;

/**
 * Lines go on after a line break and a space, in quoted-printable after `=`. Each piece is looked at once, and all are joined once: a
 * file may break a line at every letter.
 */
async function* unfolded(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let pieces: string[] | null = null;
  let length = 0;
  let head = '';
  let isQuoted = false;
  let isSoft = false;
  for await (const line of lines) {
    const goesOn: boolean = pieces !== null && (isSoft || /^[ \t]/.test(line));
    if (pieces && !goesOn) yield pieces.join('');
    if (!pieces || !goesOn) {
      pieces = [];
      length = 0;
      head = '';
      isQuoted = false;
    }
    const piece: string = goesOn && !isSoft ? line.slice(1) : line;
    if (piece && head.length < MAX_HEAD) {
      head += piece.slice(0, MAX_HEAD - head.length);
      isQuoted = isPrintable(head);
    }
    isSoft = isQuoted && SOFT_BREAK.test(line);
    const more = (isSoft ? piece.replace(SOFT_BREAK, '') : piece).slice(0, MAX_LINE - length);
    if (more) pieces.push(more);
    length += more.length;
  }
  if (pieces) yield pieces.join('');
}

interface Property {
  name: string;
  /** In upper case: `CELL`, `PREF`. */
  types: Set<string>;
  /** 1 is the most preferred, as vCard 4.0 counts to 100; 101 without a preference. */
  preference: number;
  value: string;
}

const READ = new Set(['TEL', 'EMAIL', 'N', 'FN', 'BDAY', 'GENDER', 'ORG']);

/** `item1.TEL;TYPE="cell,voice":+7 916 123-45-67`. */
function propertyOf(line: string, encoding: string): Property | null {
  const colon = valueAt(line);
  if (colon < 0) return null;
  const [head = '', ...parameters] = line.slice(0, colon).split(';');
  const name = head
    .slice(head.lastIndexOf('.') + 1)
    .trim()
    .toUpperCase();
  const types = new Set<string>();
  let charset: string | null = null;
  let preference = 101;
  for (const parameter of parameters) {
    const [key, given] = parameter.includes('=') ? parameter.split('=', 2) : ['TYPE', parameter];
    const values = given!.replaceAll('"', '').trim().toUpperCase();
    if (/^charset$/i.test(key!)) charset = iconv.encodingExists(values) ? values : null;
    else if (/^pref$/i.test(key!)) preference = Number(values) || 1;
    else for (const one of values.split(',')) types.add(one.trim());
  }
  if (types.has('PREF')) preference = 1;
  const raw = line.slice(colon + 1);
  return { name, types, preference, value: textOf(raw, types, charset, encoding) };
}

/** A value of bytes as text. What is encoded is in the charset that it names, while a file as a whole may have been converted since. */
function textOf(raw: string, types: Set<string>, named: string | null, encoding: string): string {
  const isBase64 = types.has('B') || types.has('BASE64');
  const isEncoded = isBase64 || types.has('QUOTED-PRINTABLE');
  const bytes = isBase64
    ? Buffer.from(raw, 'base64')
    : Buffer.from(isEncoded ? printable(raw) : raw, 'latin1');
  const charset = isEncoded || encoding !== 'utf-8' ? named : null;
  return iconv.decode(bytes, charset ?? encoding);
}

/** The colon before the value, which is not the one in quotation marks. */
function valueAt(line: string): number {
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '"') isQuoted = !isQuoted;
    else if (line[i] === ':' && !isQuoted) return i;
  }
  return line.indexOf(':');
}

const printable = (text: string): string =>
  text.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** The parts of a value, between semicolons that are not escaped. */
const partsOf = (value: string): string[] =>
  (value.match(/(?:\\.|[^\\;])+|;/gs) ?? []).reduce<string[]>(
    (parts, piece) => {
      if (piece === ';') parts.push('');
      else parts[parts.length - 1] += plain(piece);
      return parts;
    },
    [''],
  );
const plain = (value: string): string =>
  value.replace(/\\(.)/gs, (_, char: string) => (/n/i.test(char) ? ' ' : char)).trim();

/** Lines that nobody reads a message on. */
const MACHINES = ['FAX', 'PAGER', 'MODEM', 'BBS', 'VIDEO', 'CAR', 'ISDN', 'TEXTPHONE'];
const MOBILES = ['CELL', 'MOBILE', 'IPHONE'];
const has = (types: Set<string>, names: string[]) => names.some((name) => types.has(name));
const rank = ({ types, preference }: Property) =>
  (has(types, MOBILES) ? 0 : 1000) + preference + (has(types, MACHINES) ? A_MACHINE : 0);
/** The rank of a machine and more. */
const A_MACHINE = 10_000;

/** `tel:+1-201-555-0123;ext=12` of vCard 4.0 and the same without. */
const phoneOf = (value: string): string =>
  plain(value)
    .replace(/^tel:/i, '')
    .replace(/;(?!ext=)[^;]*/gi, '')
    .replace(/;ext=/i, ' ext. ');
/** A number that may be a person's: neither a short one nor one with an extension, if the card has another. */
const isWhole = (phone: string): boolean =>
  phone.replace(/\D/g, '').length >= 7 && !/[a-zа-яё*#]/i.test(phone);

function cellsOf(card: Property[]): string[] {
  const all = (name: string) => card.filter((property) => property.name === name);
  const first = (name: string) => all(name)[0]?.value ?? '';
  const ranked = (name: string) =>
    all(name)
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, MAX_VALUES);
  const dialled = ranked('TEL').map((tel) => ({ phone: phoneOf(tel.value), rank: rank(tel) }));
  const persons = dialled.filter((tel) => tel.rank < A_MACHINE && isWhole(tel.phone));
  const phones = (persons.length ? persons : dialled.slice(0, 1)).map(({ phone }) => phone);
  const emails = ranked('EMAIL').map(({ value }) => plain(value).replace(/^mailto:/i, ''));
  const [family = '', given = '', additional = ''] = partsOf(first('N'));
  const isNamed = family || given;
  const organisation = partsOf(first('ORG')).filter(Boolean);
  // Apple's card of a company has no other name.
  const fullName = plain(first('FN'));
  const isPerson = !organisation.includes(fullName);
  return [
    [...new Set(phones)].filter(Boolean).join(SEVERAL),
    [...new Set(emails)].filter(Boolean).join(SEVERAL),
    family,
    given,
    isNamed ? additional : '',
    isNamed || !isPerson ? '' : fullName,
    birthday(first('BDAY').trim()),
    partsOf(first('GENDER'))[0] ?? '',
    organisation.join(', '),
  ];
}

/** Without one whose year is unknown: `--1205`, or 1604 as Apple writes it. `19901205T000000Z` is a day with its time. */
const birthday = (text: string): string =>
  /^(?:--|1604)/.test(text) ? '' : text.replace(/^(\d{4})(\d\d)(\d\d)(?:T.*)?$/, '$1-$2-$3');
