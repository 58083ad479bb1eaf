import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { videoFacts } from './video-facts.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-video-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function facts(bytes: Uint8Array) {
  const path = join(folder, 'a');
  await writeFile(path, bytes);
  return videoFacts(path);
}

const u32 = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer).swap32();
const u64 = (value: bigint) => Buffer.from(new BigUint64Array([value]).buffer).swap64();
const zeros = (length: number) => Buffer.alloc(length);

/** `size`: as declared by the box. */
function box(name: string, parts: Uint8Array[], size?: number): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(size ?? content.length + 8), Buffer.from(name), content]);
}
const long = (name: string, parts: Uint8Array[], size?: bigint) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([
    u32(1),
    Buffer.from(name),
    u64(size ?? BigInt(content.length + 16)),
    content,
  ]);
};

const ftyp = box('ftyp', [Buffer.from('isom'), u32(512), Buffer.from('isommp42')]);
const mvhd = (scale: number, duration: number) =>
  box('mvhd', [u32(0, 0, 0, scale, duration), zeros(80)]);
const mvhd64 = (scale: number, duration: bigint) =>
  box('mvhd', [u32(0x0100_0000), zeros(16), u32(scale), u64(duration), zeros(80)]);
const UPRIGHT = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];
const TURNED = [0, 0x1_0000, 0, 0xffff_0000, 0, 0, 0, 0, 0x4000_0000];
const trak = (kind: string, width: number, height: number, matrix = UPRIGHT, version = 0) =>
  box('trak', [
    box('tkhd', [
      u32((version << 24) | 7),
      zeros(version ? 48 : 36),
      u32(...matrix, width * 65_536, height * 65_536),
    ]),
    box('mdia', [box('mdhd', [zeros(24)]), box('hdlr', [zeros(8), Buffer.from(kind), zeros(13)])]),
  ]);
const mdat = box('mdat', [Buffer.alloc(100_000, 'moovmvhd')]);
const moov = box('moov', [mvhd(600, 1234), trak('soun', 0, 0), trak('vide', 640, 360)]);
const KNOWN = { width: 640, height: 360, duration: 3 };

test.each<[what: string, bytes: Buffer[], known: object]>([
  ['an MP4', [ftyp, moov, mdat], KNOWN],
  ['a QuickTime film without a type', [box('wide', []), mdat, moov], KNOWN],
  ['one whose header stands at its end', [ftyp, box('free', []), mdat, moov], KNOWN],
  [
    'one with long boxes',
    [ftyp, long('mdat', [zeros(9)]), long('moov', [moov.subarray(8)])],
    KNOWN,
  ],
  ['one whose last box has no size', [ftyp, box('moov', [moov.subarray(8)], 0)], KNOWN],
  [
    'version 1',
    [ftyp, box('moov', [mvhd64(1000, 61_001n), trak('vide', 640, 360, UPRIGHT, 1)])],
    { ...KNOWN, duration: 62 },
  ],
  [
    'a film in fragments',
    [
      box('moov', [
        mvhd(1000, 0),
        box('mvex', [box('mehd', [u32(0, 2500)])]),
        trak('vide', 640, 360),
      ]),
    ],
    KNOWN,
  ],
  [
    'one from a telephone that was held upright',
    [ftyp, box('moov', [mvhd(600, 1234), trak('vide', 640, 360, TURNED)])],
    { ...KNOWN, width: 360, height: 640 },
  ],
  ['a sound', [ftyp, box('moov', [mvhd(600, 1234), trak('soun', 0, 0)])], { duration: 3 }],
  [
    'a text track is no picture',
    [box('moov', [trak('text', 9, 9), trak('vide', 640, 360)])],
    {
      width: 640,
      height: 360,
    },
  ],
])('%s', async (_, bytes, known) => {
  expect(await facts(Buffer.concat(bytes))).toEqual(known);
});

test.each<[what: string, bytes: Buffer]>([
  ['nothing', zeros(0)],
  ['a header that is cut off', u32(1)],
  ['zeros', zeros(100_000)],
  ['a size below that of the header', box('moov', [mvhd(600, 1234)], 7)],
  ['a long size of 0', long('moov', [mvhd(600, 1234)], 0n)],
  ['a long size that is cut off', box('moov', [u32(0)], 1)],
  ['a long size of all bits', Buffer.concat([long('free', [], 2n ** 64n - 1n), moov])],
  ['a box of 4 GB in front', Buffer.concat([box('free', [], 0xffff_ffff), moov])],
  ['a time scale of 0', box('moov', [mvhd(0, 1234)])],
  ['no time and no time scale', box('moov', [mvhd(0, 0)])],
  ['an unknown duration', box('moov', [mvhd(1, 0xffff_ffff)])],
  ['an unknown long duration', box('moov', [mvhd64(1, 2n ** 64n - 1n)])],
  ['a duration of ages', box('moov', [mvhd64(1, 2n ** 60n)])],
  ['a film in a film', box('moov', [box('moov', [mvhd(600, 1234)])])],
  ['a header outside', Buffer.concat([mvhd(600, 1234), trak('vide', 640, 360)])],
  [
    'a header behind thousands of boxes',
    Buffer.concat([...Array(5000).fill(box('free', [])), moov]),
  ],
])('an MP4 with %s tells nothing', async (_, bytes) => {
  expect(await facts(bytes)).toEqual({});
});

/** An element of EBML; `size`: the bytes of its length field. */
function el(id: string, parts: Uint8Array[], size?: string): Buffer {
  const content = Buffer.concat(parts);
  const said = Buffer.from((0x1000_0000 + content.length).toString(16), 'hex');
  return Buffer.concat([Buffer.from(id, 'hex'), size ? Buffer.from(size, 'hex') : said, content]);
}
const UNKNOWN = '01ffffffffffffff';
const float = (value: number, length = 8) => {
  const bytes = zeros(length);
  if (length === 8) bytes.writeDoubleBE(value);
  else bytes.writeFloatBE(value);
  return bytes;
};
const head = el('1a45dfa3', [el('4282', [Buffer.from('webm')])]);
const info = (duration: Buffer, scale = '0f4240') =>
  el('1549a966', [el('2ad7b1', [Buffer.from(scale, 'hex')]), el('4489', [duration])]);
const video = (width: string, height: string) =>
  el('1654ae6b', [
    el('ae', [el('83', [Buffer.from([2])])]),
    el('ae', [
      el('83', [Buffer.from([1])]),
      el('e0', [el('b0', [Buffer.from(width, 'hex')]), el('ba', [Buffer.from(height, 'hex')])]),
    ]),
  ]);
const cluster = el('1f43b675', [Buffer.alloc(100_000, 'x')]);
const picture = video('0280', '0168');

test.each<[what: string, segment: Buffer, known: object]>([
  ['a WebM', el('18538067', [info(float(2057)), picture, cluster]), KNOWN],
  ['of single precision', el('18538067', [info(float(2057, 4)), picture]), KNOWN],
  [
    'of another scale',
    el('18538067', [info(float(20), '05f5e100'), picture]),
    { ...KNOWN, duration: 2 },
  ],
  ['with its headers at the end', el('18538067', [cluster, picture, info(float(2057))]), KNOWN],
  [
    'as a browser records it',
    el('18538067', [picture, el('1f43b675', [zeros(99)], UNKNOWN)], UNKNOWN),
    { width: 640, height: 360 },
  ],
  ['of no duration', el('18538067', [info(float(NaN)), picture]), { width: 640, height: 360 }],
  ['of an endless duration', el('18538067', [info(float(Infinity))]), {}],
  ['of a negative duration', el('18538067', [info(float(-5))]), {}],
  ['of a scale of 0', el('18538067', [info(float(2057), '00')]), {}],
  ['of no width', el('18538067', [video('00', '0168')]), {}],
  ['of a size of 100 bytes', el('18538067', [video('01'.repeat(100), '0168')]), {}],
  ['that is cut off in a size', Buffer.from('1853806701ff', 'hex'), {}],
  ['that is cut off in a name', Buffer.from('1853', 'hex'), {}],
  ['with a name of zeros', zeros(1000), {}],
  [
    'of a segment beyond the file',
    el('18538067', [info(float(2057)), picture], '01fffffffffffffe'),
    KNOWN,
  ],
  ['of segments in segments', el('18538067', [el('18538067', [info(float(2057))])]), {}],
  [
    'of thousands of elements in front',
    el('18538067', [Buffer.alloc(20_000, 'ec80', 'hex'), picture]),
    {},
  ],
])('a Matroska file %s', async (_, segment, known) => {
  expect(await facts(Buffer.concat([head, segment]))).toEqual(known);
});

test('any truncated or malformed file costs at most a thousand short reads', async () => {
  const whole = [
    Buffer.concat([ftyp, moov]),
    Buffer.concat([head, el('18538067', [info(float(9)), picture])]),
  ];
  for (const bytes of whole) {
    // Lengths and numbers have 1, 2, 4 or 8 bytes: a step of 3 comes upon each of their places.
    for (let at = 0; at < bytes.length; at += 3) {
      await facts(bytes.subarray(0, at));
      const wrong = Buffer.from(bytes);
      wrong[at]! ^= 0xff;
      await facts(wrong);
    }
  }
  const file = await open(join(folder, 'huge'), 'w');
  await file.write(ftyp);
  await file.write(box('mdat', [], 3_000_000_000));
  await file.write(moov, 0, moov.length, ftyp.length + 3_000_000_000);
  await file.close();
  const before = process.cpuUsage();
  expect(await videoFacts(join(folder, 'huge'))).toEqual(KNOWN);
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(500_000);
});
