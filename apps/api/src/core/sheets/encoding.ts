import { detect } from 'chardet';
import iconv from 'iconv-lite';
import { createReadStream } from 'node:fs';

const CHUNK = 64 * 1024;
/** Bytes around letters beyond ASCII, which are scored in each encoding: enough for hundreds of names. */
const SAMPLE = 8 * 1024;
const PIECE = 2 * 1024;
/** Single-byte encodings of address books, scored together with chardet's guess. */
const CANDIDATES = ['windows-1251', 'maccyrillic', 'koi8-r', 'cp866', 'windows-1252'];

/**
 * The encoding of a text file, or null for a binary file: by the byte order mark; UTF-8 if the whole file is valid (a
 * sample is not enough, since the first accented name may be in the last row); else the best score. `read` gives its bytes as
 * they are to be judged.
 */
export async function encodingOf(
  path: string,
  read: (file: AsyncIterable<Buffer>) => AsyncIterable<Buffer> = (file) => file,
): Promise<string | null> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let isFirst = true;
  let sample: Buffer = Buffer.alloc(0);
  for await (const chunk of read(createReadStream(path, { highWaterMark: CHUNK }))) {
    if (isFirst) {
      const wide = wideEncoding(chunk);
      if (wide) return wide;
      isFirst = false;
    }
    if (looksBinary(chunk)) return null;
    isUtf8 &&= decodes(utf8, chunk);
    const high = chunk.findIndex((byte) => byte >= 0x80);
    if (high >= 0 && sample.length < SAMPLE) {
      sample = Buffer.concat([sample, chunk.subarray(Math.max(0, high - 64), high + PIECE)]);
    }
  }
  return isUtf8 && decodes(utf8) ? 'utf-8' : bestOf(sample);
}

function decodes(decoder: TextDecoder, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

/** UTF-16, by the byte order mark or by zeros in every other byte. */
function wideEncoding(head: Buffer): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  head.forEach((byte, i) => {
    if (byte === 0) zeros[i % 2]!++;
  });
  const enough = head.length / 10;
  if (zeros[1]! > enough && zeros[0] === 0) return 'utf-16le';
  return zeros[0]! > enough && zeros[1] === 0 ? 'utf-16be' : null;
}

/** A zero byte, or more than 1 % control characters. */
function looksBinary(chunk: Buffer): boolean {
  let odd = 0;
  for (const byte of chunk) {
    if (byte === 0) return true;
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1a) odd++;
  }
  return odd > chunk.length / 100;
}

function bestOf(sample: Buffer): string {
  const guess = detect(sample)?.toLowerCase();
  const candidates = guess && iconv.encodingExists(guess) ? [...CANDIDATES, guess] : CANDIDATES;
  const scored = candidates.map((name) => ({
    name,
    score: plausibility(iconv.decode(sample, name)),
  }));
  return scored.sort((a, b) => b.score - a.score)[0]!.name;
}

const COMMON = new Set('оеаинтсрвл');
const PUNCTUATION = new Set('«»№–—…“”„’\u00a0');

/** Scores how much a text looks like names. A wrong code page yields capitals inside words, mixed scripts and symbols. */
function plausibility(text: string): number {
  let score = 0;
  let before = ' ';
  for (const char of text) {
    if (char > '\u007f') score += weight(char, before);
    else if (isCyrillic(before) && /[A-Za-z]/.test(char)) score -= 3;
    before = char;
  }
  return score;
}

function weight(char: string, before: string): number {
  if (/[а-яё]/.test(char)) return (/[A-Za-z]/.test(before) ? -3 : 2) + (COMMON.has(char) ? 1 : 0);
  if (/[А-ЯЁ]/.test(char)) return /[а-яёA-Za-z]/.test(before) ? -4 : 1;
  if (PUNCTUATION.has(char)) return 0;
  if (/\p{Script=Latin}/u.test(char)) return /\p{Script=Latin}/u.test(before) ? 2 : 0;
  return /\p{L}/u.test(char) ? 0 : -3;
}

const isCyrillic = (char: string) => /[А-яЁё]/.test(char);
