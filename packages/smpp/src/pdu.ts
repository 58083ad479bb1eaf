import {
  type Body,
  COMMANDS,
  type Command,
  type CommandDefinition,
  commandOf,
  isResponseId,
} from './commands.ts';
import { OctetReader, OctetWriter, PduError } from './octets.ts';
import { STATUS } from './statuses.ts';
import { type Tlv, readTlvs, writeTlvs } from './tlvs.ts';

export const HEADER_LENGTH = 16;

interface Header {
  status: number;
  sequence: number;
}

export type PduOf<C extends Command> = Header & { command: C; tlvs: Tlv[] } & Body<C>;
/** A PDU; `command` tells which fields it has. */
export type Pdu = { [C in Command]: PduOf<C> }[Command];

/** What was read: a PDU, or the reason why it is none. */
export type Decoded =
  | { pdu: Pdu; error?: undefined }
  | { error: PduError; id: number; header: Header; pdu?: undefined };

/** A PDU to be written. Fields that are left out are empty. */
export type PduInput<C extends Command> = {
  command: C;
  status?: number;
  sequence: number;
  tlvs?: readonly Tlv[];
} & Partial<Body<C>>;

const writer = new OctetWriter();

/** Throws a PduError for a value that has no form on the wire. */
export function encodePdu<C extends Command>(pdu: PduInput<C>): Buffer {
  const { command, status = 0, sequence, tlvs = [] } = pdu;
  const { id, fields } = COMMANDS[command];
  // A response that refuses has no body: SMPP 3.4, section 4.4.2 and others. Optional parameters follow a body.
  const hasBody = status === 0 || !isResponseId(id) || tlvs.length > 0;
  const values = pdu as Record<string, unknown>;
  writer.reset();
  // The length is known at the end.
  for (const value of [0, id, status, sequence]) writer.uint(4, value);
  if (hasBody) {
    for (const [name, field] of fields) field.write(writer, values[name] ?? field.empty);
  }
  writeTlvs(writer, tlvs);
  return writer.take();
}

/**
 * Reads a whole PDU, as PduFramer gives it. Never throws. `isStrict` refuses what the specification does not allow, as a server
 * does; otherwise whatever is clear is taken.
 */
export function decodePdu(octets: Buffer, isStrict = false): Decoded {
  const id = octets.readUInt32BE(4);
  const header = { status: octets.readUInt32BE(8), sequence: octets.readUInt32BE(12) };
  const definition = commandOf(id);
  try {
    if (!definition) throw new PduError('An unknown command', STATUS.ESME_RINVCMDID);
    return { pdu: readBody(definition, octets, header, isStrict) };
  } catch (error) {
    if (error instanceof PduError) return { error, id, header };
    throw error;
  }
}

function readBody(
  { command, id, fields }: CommandDefinition,
  octets: Buffer,
  header: Header,
  isStrict: boolean,
): Pdu {
  const reader = new OctetReader(octets, HEADER_LENGTH);
  const pdu: Record<string, unknown> = { command, ...header };
  // Responses come without a body when they refuse, and from some carriers always.
  const isBare = reader.left === 0 && isResponseId(id) && (header.status !== 0 || !isStrict);
  for (const [name, field] of fields) {
    pdu[name] = isBare ? field.empty : field.read(reader, isStrict);
  }
  // An answer tells what became of a request, whatever follows its fields; of others some carriers fill the end.
  const mayEnd = isStrict ? undefined : isResponseId(id) ? 'any' : 'filled';
  pdu.tlvs = readTlvs(reader.take(reader.left), mayEnd);
  return pdu as unknown as Pdu;
}
