import { expect, test } from 'vitest';
import { audioSeconds } from './audio.ts';

function wav(bytesPerSecond: number, data: number, declared = data): Uint8Array {
  const bytes = new Uint8Array(44);
  const view = new DataView(bytes.buffer);
  const write = (text: string, at: number) =>
    [...text].forEach((c, i) => view.setUint8(at + i, c.charCodeAt(0)));
  write('RIFF', 0);
  write('WAVE', 8);
  write('fmt ', 12);
  view.setUint32(16, 16, true);
  view.setUint32(28, bytesPerSecond, true);
  write('data', 36);
  view.setUint32(40, declared, true);
  return bytes;
}

test.each([
  ['two seconds', 8000, 16_000, 16_000, 2],
  ['a started second', 8000, 16_001, 16_001, 3],
  ['a length of 0', 8000, 24_000, 0, 3],
  ['a length beyond the file', 8000, 24_000, 0xffffffff, 3],
])('WAV: %s', (_, rate, data, declared, seconds) => {
  expect(audioSeconds(wav(rate, data, declared), 44 + data)).toBe(seconds);
});

test('MP3: uses the bit rate of the first frame after the ID3 tag', () => {
  const bare = new Uint8Array([0xff, 0xfb, 0x90, 0x00]);
  expect(audioSeconds(bare, 160_000)).toBe(10);
  const tagged = new Uint8Array(10 + 200 + 4);
  tagged.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 72]);
  tagged.set(bare, 210);
  expect(audioSeconds(tagged, 160_210)).toBe(10);
});

test('returns null for other formats', () => {
  expect(
    audioSeconds(
      Uint8Array.from('OggS and more', (c) => c.charCodeAt(0)),
      5000,
    ),
  ).toBeNull();
  expect(audioSeconds(new Uint8Array(), 0)).toBeNull();
});
