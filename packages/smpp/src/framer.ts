import { PduError } from './octets.ts';
import { HEADER_LENGTH } from './pdu.ts';
import { STATUS } from './statuses.ts';

/** A message_payload of 65,535 octets and the fields beside it. */
const MAX_PDU_LENGTH = 70_000;

/**
 * Cuts a stream of octets into PDUs. The length is checked before anything is kept for it, so a framer never holds more than one
 * PDU of the longest length, however the octets arrive.
 */
export class PduFramer {
  private readonly maxLength: number;
  private readonly header = Buffer.alloc(HEADER_LENGTH);
  /** The PDU that is not complete yet, once its length is known. */
  private pdu: Buffer | undefined;
  /** Octets of it that have arrived. */
  private filled = 0;

  constructor(maxLength = MAX_PDU_LENGTH) {
    this.maxLength = maxLength;
  }

  /**
   * The PDUs that are complete with this chunk. Throws a PduError for a length that cannot be: where the next PDU begins is not
   * known then, and the connection has to be closed.
   */
  *push(chunk: Buffer): Generator<Buffer, void> {
    let offset = 0;
    while (offset < chunk.length) {
      const target = this.pdu ?? this.header;
      const taken = chunk.copy(target, this.filled, offset);
      offset += taken;
      this.filled += taken;
      // The length alone decides whether anything more is awaited.
      if (!this.pdu && this.filled >= 4) this.checkLength();
      if (this.filled < target.length) return;
      if (!this.pdu) {
        this.pdu = Buffer.alloc(this.header.readUInt32BE(0));
        this.header.copy(this.pdu);
      }
      if (this.filled < this.pdu.length) continue;
      const complete = this.pdu;
      this.pdu = undefined;
      this.filled = 0;
      yield complete;
    }
  }

  private checkLength(): void {
    const length = this.header.readUInt32BE(0);
    if (length < HEADER_LENGTH || length > this.maxLength) {
      throw new PduError(`A PDU of ${length} octets`, STATUS.ESME_RINVCMDLEN);
    }
  }
}
