import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { wav } from '../apps/api/src/features/tts/wav.ts';

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

const MINUTES = 60_000;

interface DemoFile {
  title: string;
  type: string;
  bytes: Buffer;
  meta?: object;
  seconds?: number;
  /** Minutes until it expires. */
  expiresIn?: number;
  publicKey?: string;
}

/** Files of every kind, one with a public link and one that is about to expire. */
export const DEMO_FILES: readonly DemoFile[] = [
  {
    title: 'Весенняя коллекция.png',
    type: 'image/png',
    bytes: png(640, 360),
    meta: { width: 640, height: 360 },
    publicKey: 'demo-spring-collection',
  },
  { title: 'Приветствие.wav', type: 'audio/wav', bytes: tone(3), seconds: 3 },
  {
    title: 'Новые клиенты.csv',
    type: 'text/csv',
    bytes: Buffer.from(
      '\ufeffphone;firstName;lastName;city\n+79990000101;Ольга;Белова;Казань\n+79990000102;Пётр;Линдт;Тверь\n+79990000103;Инна;Рощина;Псков\n',
    ),
  },
  {
    title: 'Price list.pdf',
    type: 'application/pdf',
    bytes: pdf('Tea House price list'),
    meta: { pages: 1 },
  },
  {
    title: 'Правила акции.txt',
    type: 'text/plain',
    bytes: Buffer.from(
      'Скидка 15 % на весь чай до конца марта.\nНе суммируется с другими скидками.\n',
    ),
  },
  {
    title: 'Проба голоса.wav',
    type: 'audio/wav',
    bytes: tone(2),
    seconds: 2,
    expiresIn: 40,
  },
];

/** `write` stores the contents of a file under its id. */
export async function seedDemoFiles(
  query: Query,
  owner: string,
  write: (id: string, bytes: Buffer) => Promise<void>,
): Promise<void> {
  for (const [n, file] of DEMO_FILES.entries()) {
    const { title, type, bytes, meta = {}, seconds = null, expiresIn, publicKey = null } = file;
    const id = `01930000-0000-7000-8000-0000000002${String(n).padStart(2, '0')}`;
    await write(id, bytes);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const expiredAt = expiresIn === undefined ? null : new Date(Date.now() + expiresIn * MINUTES);
    await query(
      `insert into files (id, owner_id, title, filename, type, size, hash, seconds, meta, is_public, public_key, expired_at, created_at)
       values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9::text is not null, $9::text, $10, now() - make_interval(days => $11))`,
      [
        id,
        owner,
        title,
        type,
        bytes.length,
        hash,
        seconds,
        meta,
        publicKey,
        expiredAt,
        DEMO_FILES.length - n,
      ],
    );
  }
}

/** A picture of soft stripes, without a library. */
function png(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * (1 + width * 3) + 1 + x * 3;
      const band = Math.floor((x + y) / 40) % 3;
      rows[at] = [120, 160, 210][band]! + Math.floor((y / height) * 40);
      rows[at + 1] = [170, 200, 190][band]!;
      rows[at + 2] = [130, 110, 90][band]! + Math.floor((x / width) * 60);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A falling tone of 8 kHz. */
function tone(seconds: number): Buffer {
  const rate = 8000;
  const samples = Int16Array.from({ length: seconds * rate }, (_, n) => {
    const pitch = 440 - (n / (seconds * rate)) * 110;
    return Math.round(Math.sin((2 * Math.PI * pitch * n) / rate) * 6000);
  });
  return wav(samples, rate);
}

/** One page with a line of text. */
function pdf(text: string): Buffer {
  const stream = `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, n) => {
    const at = body.length;
    body += `${n + 1} 0 obj${object}endobj\n`;
    return at;
  });
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const end = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${end}`,
    'latin1',
  );
}
