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

/** The octets of a number, big-endian. */
export function uint(length: 1 | 2 | 4, value: number): Buffer {
  const octets = Buffer.alloc(length);
  octets.writeUIntBE(value, 0, length);
  return octets;
}
