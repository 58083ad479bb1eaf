/** Bit rates of MPEG-1 layer III in kbit/s, and of versions 2 and 2.5. Source: ISO/IEC 11172-3, 13818-3. */
const BITRATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/**
 * The duration of a WAV or MP3 file in started seconds, computed from its first bytes and its size in bytes, so that calls can
 * be priced in advance. Null for other formats. For MP3 with a variable bit rate, the first frame is assumed for the whole file.
 * A WAV file of 16,044 bytes with 8,000 bytes per second has 2 seconds.
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
      // Streams that were not closed have a length of 0 or 0xffffffff.
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

/** The length in bytes of the ID3v2 tag at the start of an MP3, from its first ten bytes; 0 if there is none. */
export function id3TagLength(head: Uint8Array): number {
  if (!tag(head, 0).startsWith('ID3')) return 0;
  // The size is a synchsafe integer: seven bits per byte.
  return 10 + [6, 7, 8, 9].reduce((n, i) => n * 128 + (head[i] ?? 0), 0);
}

function tag(head: Uint8Array, at: number): string {
  return String.fromCharCode(...head.subarray(at, at + 4));
}
