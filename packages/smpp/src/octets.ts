import { STATUS } from './statuses.ts';

/** A PDU that cannot be read or written, with the `command_status` by which it is answered. */
export class PduError extends Error {
  override readonly name = 'PduError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Reads the body of a PDU. Every read is bounded by the end of the body. */
export class OctetReader {
  private readonly octets: Buffer;
  private offset: number;

  constructor(octets: Buffer, offset = 0) {
    this.octets = octets;
    this.offset = offset;
  }

  get left(): number {
    return this.octets.length - this.offset;
  }

  uint(length: 1 | 2 | 4): number {
    this.need(length);
    const value = this.octets.readUIntBE(this.offset, length);
    this.offset += length;
    return value;
  }

  take(length: number): Buffer {
    this.need(length);
    // A copy: a view would keep what was received around it.
    const taken = Buffer.from(this.octets.subarray(this.offset, this.offset + length));
    this.offset += length;
    return taken;
  }

  /** Up to the NUL; `mayEnd`: or to the end of the body, where some carriers leave out the NUL of the last text. */
  cstring(mayEnd: boolean): string {
    let end = this.octets.indexOf(0, this.offset);
    if (end < 0) {
      if (!mayEnd) throw new PduError('A text has no end', STATUS.ESME_RINVCMDLEN);
      end = this.octets.length;
    }
    const text = this.octets.toString('latin1', this.offset, end);
    this.offset = Math.min(end + 1, this.octets.length);
    return text;
  }

  private need(length: number): void {
    if (this.left < length) throw new PduError('The PDU is too short', STATUS.ESME_RINVCMDLEN);
  }
}

/** Writes PDUs one after the other into a memory of its own, and gives each as octets. */
export class OctetWriter {
  private octets = Buffer.allocUnsafe(1_024);
  private length = 0;

  uint(length: 1 | 2 | 4, value: number): void {
    this.octets.writeUIntBE(value, this.reserve(length), length);
  }

  put(octets: Buffer): void {
    octets.copy(this.octets, this.reserve(octets.length));
  }

  /** A text of octets with its NUL; false for one that is none. */
  cstring(text: string): boolean {
    const at = this.reserve(text.length + 1);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 0 || code > 0xff) return false;
      this.octets[at + i] = code;
    }
    this.octets[at + text.length] = 0;
    return true;
  }

  /** What was written since the last time, with its length in front. */
  take(): Buffer {
    this.octets.writeUInt32BE(this.length, 0);
    return Buffer.from(this.octets.subarray(0, this.length));
  }

  reset(): void {
    this.length = 0;
  }

  /** Where so many octets are to be written. */
  private reserve(length: number): number {
    const at = this.length;
    this.length += length;
    if (this.length > this.octets.length) {
      const larger = Buffer.allocUnsafe(this.length * 2);
      this.octets.copy(larger, 0, 0, at);
      this.octets = larger;
    }
    return at;
  }
}

/** The octets of a number, big-endian. */
export function uint(length: 1 | 2 | 4, value: number): Buffer {
  const octets = Buffer.alloc(length);
  octets.writeUIntBE(value, 0, length);
  return octets;
}
