/** kbit/s of MPEG-1 layer III, and of the half-rate versions 2 and 2.5. Source: ISO/IEC 11172-3, 13818-3. */
const BITRATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/**
 * How long a WAV or MP3 file plays, in started seconds, by its first bytes and its size: what a voice call with it
 * costs is known before it is made. Null for anything else. An MP3 of varying bit rate is reckoned by its first frame.
 * A file of 16,044 bytes whose WAV header says 8,000 bytes a second is 2.
 */
export function audioSeconds(head: Uint8Array, size: number): number | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const seconds = tag(head, 0) === 'RIFF' ? wavSeconds(head, view, size) : mp3Seconds(head, size);
  return seconds === null ? null : Math.max(1, Math.ceil(seconds));
}

function wavSeconds(head: Uint8Array, view: DataView, size: number): number | null {
  if (tag(head, 8) !== 'WAVE') return null;
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= head.length;) {
    const length = view.getUint32(at + 4, true);
    if (tag(head, at) === 'fmt ' && at + 20 <= head.length) {
      bytesPerSecond = view.getUint32(at + 16, true);
    }
    if (tag(head, at) === 'data') {
      // A stream that was never closed says 0 or the greatest number there is.
      const bytes = length > 0 && length <= size - at ? length : size - at - 8;
      return bytesPerSecond > 0 ? bytes / bytesPerSecond : null;
    }
    at += 8 + length + (length % 2);
  }
  return null;
}

function mp3Seconds(head: Uint8Array, size: number): number | null {
  const start = id3TagLength(head);
  for (let at = start; at + 4 <= head.length && at < start + 4096; at++) {
    if (head[at] !== 0xff || (head[at + 1]! & 0xe6) !== 0xe2) continue;
    const rates = (head[at + 1]! & 0x18) === 0x18 ? BITRATES : BITRATES_2;
    const rate = rates[head[at + 2]! >> 4];
    if (rate) return ((size - at) * 8) / (rate * 1000);
  }
  return null;
}

/** How long the ID3 tag is after which the sound of an MP3 begins, by the first ten bytes; 0 when there is none. */
export function id3TagLength(head: Uint8Array): number {
  if (!tag(head, 0).startsWith('ID3')) return 0;
  // Seven bits a byte.
  return 10 + [6, 7, 8, 9].reduce((n, i) => n * 128 + (head[i] ?? 0), 0);
}

function tag(head: Uint8Array, at: number): string {
  return String.fromCharCode(...head.subarray(at, at + 4));
}
