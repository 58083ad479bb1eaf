import { audioSeconds, id3TagLength } from '@heliograph/domain';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** Bytes of audio that are read for its duration. */
const AUDIO_HEAD_BYTES = 8192;

/** Types whose first bytes tell the duration. In other files those bytes mean something else. */
const TIMED = new Set(['audio/wav', 'audio/mpeg']);

/** Duration in seconds, rounded up, also of audio after a long ID3 tag. */
export async function playingTime(
  path: string,
  type: string,
  head: Buffer,
  size: number,
): Promise<number | null> {
  if (!TIMED.has(type)) return null;
  const begin = id3TagLength(head);
  if (begin + AUDIO_HEAD_BYTES <= head.length || begin >= size) return audioSeconds(head, size);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(AUDIO_HEAD_BYTES),
      0,
      AUDIO_HEAD_BYTES,
      begin,
    );
    return audioSeconds(buffer.subarray(0, bytesRead), size - begin);
  } finally {
    await file.close();
  }
}

/** Size, SHA-256 and first bytes of a file. */
export async function inspect(path: string): Promise<{ size: number; hash: string; head: Buffer }> {
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (!size) head = chunk;
    size += chunk.length;
    hash.update(chunk);
  }
  return { size, hash: hash.digest('hex'), head };
}
