import { type OctetReader, type OctetWriter, PduError } from './octets.ts';
import { STATUS } from './statuses.ts';

/** A mandatory field. */
export interface Field<T> {
  /** What a PDU has that leaves the field out. */
  empty: T;
  /** `isStrict`: refuse what the specification does not allow, else take whatever is clear. */
  read(reader: OctetReader, isStrict: boolean): T;
  /** Throws a PduError for a value that has no form on the wire. */
  write(writer: OctetWriter, value: T): void;
}

export const uint8: Field<number> = {
  empty: 0,
  read: (reader) => reader.uint(1),
  write(writer, value) {
    if (!Number.isInteger(value) || value < 0 || value > 0xff) {
      throw new PduError(`${value} is not an octet`, STATUS.ESME_RSYSERR);
    }
    writer.uint(1, value);
  },
};

/**
 * A C-octet string of up to `size` octets, its NUL included. `status` answers one that is longer. `readSize` is more than what may be
 * written where peers are known to send more than the specification has room for.
 */
export function cstring(size: number, status: number, readSize = size): Field<string> {
  const check = (text: string, size: number) => {
    if (text.length >= size) {
      throw new PduError(`A text of ${text.length} octets is longer than ${size - 1}`, status);
    }
  };
  return {
    empty: '',
    read(reader, isStrict) {
      const text = reader.cstring(!isStrict);
      if (isStrict) check(text, readSize);
      return text;
    },
    write(writer, text) {
      check(text, size);
      if (writer.cstring(text)) return;
      throw new PduError(`${JSON.stringify(text)} is not a text of octets`, status);
    },
  };
}

/** A time, empty or of sixteen characters. */
export const time = (status: number): Field<string> => cstring(17, status);

const MAX_SHORT_MESSAGE = 254;

/** `sm_length` and `short_message`. A length of 255 is refused when strict, and can be read all the same. */
export const shortMessage: Field<Buffer> = {
  empty: Buffer.alloc(0),
  read(reader, isStrict) {
    const length = reader.uint(1);
    if (isStrict && length > MAX_SHORT_MESSAGE) {
      throw new PduError(`A message of ${length} octets`, STATUS.ESME_RINVMSGLEN);
    }
    return reader.take(length);
  },
  write(writer, octets) {
    if (octets.length > MAX_SHORT_MESSAGE) {
      throw new PduError(`A message of ${octets.length} octets`, STATUS.ESME_RINVMSGLEN);
    }
    writer.uint(1, octets.length);
    writer.put(octets);
  },
};

export type Destination =
  | { flag: 1; ton: number; npi: number; address: string }
  | { flag: 2; list: string };

const address = cstring(21, STATUS.ESME_RINVDSTADR);
const listName = cstring(21, STATUS.ESME_RINVDLNAME);

/** `number_of_dests` and `dest_address(es)` of submit_multi. */
export const destinations: Field<Destination[]> = {
  empty: [],
  read(reader, isStrict) {
    return Array.from({ length: reader.uint(1) }, () => {
      const flag = reader.uint(1);
      if (flag === 2) return { flag, list: listName.read(reader, isStrict) };
      if (flag !== 1) throw new PduError(`dest_flag ${flag}`, STATUS.ESME_RINVDESTFLAG);
      const ton = reader.uint(1);
      const npi = reader.uint(1);
      return { flag, ton, npi, address: address.read(reader, isStrict) };
    });
  },
  write(writer, list) {
    if (list.length > 254) throw new PduError('Too many', STATUS.ESME_RINVNUMDESTS);
    writer.uint(1, list.length);
    for (const one of list) {
      writer.uint(1, one.flag);
      if (one.flag === 2) {
        listName.write(writer, one.list);
      } else {
        uint8.write(writer, one.ton);
        uint8.write(writer, one.npi);
        address.write(writer, one.address);
      }
    }
  },
};

export interface Unsuccessful {
  ton: number;
  npi: number;
  address: string;
  status: number;
}

/** `no_unsuccess` and `unsuccess_sme(s)` of submit_multi_resp. */
export const unsuccessful: Field<Unsuccessful[]> = {
  empty: [],
  read(reader, isStrict) {
    return Array.from({ length: reader.uint(1) }, () => ({
      ton: reader.uint(1),
      npi: reader.uint(1),
      address: address.read(reader, isStrict),
      status: reader.uint(4),
    }));
  },
  write(writer, list) {
    if (list.length > 255) throw new PduError('Too many', STATUS.ESME_RINVNUMDESTS);
    writer.uint(1, list.length);
    for (const one of list) {
      uint8.write(writer, one.ton);
      uint8.write(writer, one.npi);
      address.write(writer, one.address);
      writer.uint(4, one.status);
    }
  },
};
