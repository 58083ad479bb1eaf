import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP archive of `parts`; `claimed` is written as the size of each instead of the real one. */
export function zip(parts: Record<string, Uint8Array>, claimed?: number): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(parts)) {
    const packed = deflateRawSync(bytes);
    const size = claimed ?? bytes.length;
    // Version, flags, method (8: deflate), time, date, CRC, sizes, lengths of name and extra field.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    local.push(Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, rest, Buffer.from(name));
    offset += 4 + 26 + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
