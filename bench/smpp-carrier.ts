// A carrier for `smpp-in` that takes every message at once and tells half a second later that it was delivered, as cheaply as it can. Prints its port.
import { PduFramer, encodePdu, formatReceipt } from '@heliograph/smpp';
import { createServer, type AddressInfo, type Socket } from 'node:net';

const ID = '0000000000';
const PERSON = '79160000000';
const now = new Date();
const facts = { state: 'delivered', error: 0, submittedAt: now, doneAt: now } as const;
const receipt = encodePdu({
  command: 'deliver_sm',
  sequence: 1,
  sourceAddrTon: 1,
  sourceAddrNpi: 1,
  sourceAddr: PERSON,
  destAddrTon: 5,
  destinationAddr: 'MIRTEA',
  ...formatReceipt({ ...facts, messageId: ID }),
});
const idsAt = [receipt.indexOf(ID), receipt.lastIndexOf(ID)];
const personAt = receipt.indexOf(PERSON);
const answer = encodePdu({ command: 'submit_sm_resp', sequence: 1, messageId: ID });
const SUBMIT = 0x04;
const DELIVERED = 0x80000005;
const BARE: Record<number, Buffer> = {
  0x01: encodePdu({ command: 'bind_receiver_resp', sequence: 1, systemId: 'bench' }),
  0x02: encodePdu({ command: 'bind_transmitter_resp', sequence: 1, systemId: 'bench' }),
  0x09: encodePdu({ command: 'bind_transceiver_resp', sequence: 1, systemId: 'bench' }),
  0x06: encodePdu({ command: 'unbind_resp', sequence: 1 }),
  0x15: encodePdu({ command: 'enquire_link_resp', sequence: 1 }),
};
/** Receipts without an answer at a time: a client of SMPP refuses more than it can keep. */
const WINDOW = 200;
/** A phone takes so long at least. */
const DELIVERY_MS = 500;
let last = 0;

/** Receipts of a connection, each kept until it is acknowledged. */
class Receipts {
  private readonly unanswered = new Map<number, Buffer>();
  private readonly waiting: Buffer[] = [];
  private readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  add(octets: Buffer): void {
    this.waiting.push(octets);
    this.send();
  }

  answered(sequence: number, status: number): void {
    const octets = this.unanswered.get(sequence);
    this.unanswered.delete(sequence);
    if (octets && status !== 0) this.waiting.push(octets);
    this.send();
  }

  private send(): void {
    while (this.unanswered.size < WINDOW && this.waiting.length) {
      const octets = this.waiting.shift()!;
      this.unanswered.set(octets.readUInt32BE(12), octets);
      this.socket.write(octets);
    }
  }
}

function take(socket: Socket, receipts: Receipts, pdu: Buffer): void {
  const command = pdu.readUInt32BE(4);
  const bare = BARE[command];
  if (bare) {
    const octets = Buffer.from(bare);
    pdu.copy(octets, 12, 12, 16);
    socket.write(octets);
  }
  if (command === DELIVERED) receipts.answered(pdu.readUInt32BE(12), pdu.readUInt32BE(8));
  if (command !== SUBMIT) return;
  const id = String(++last).padStart(10, '0');
  const accepted = Buffer.from(answer);
  pdu.copy(accepted, 12, 12, 16);
  accepted.write(id, 16, 'latin1');
  socket.write(accepted);
  const delivered = Buffer.from(receipt);
  delivered.writeUInt32BE(last, 12);
  for (const at of idsAt) delivered.write(id, at, 'latin1');
  const person = pdu.indexOf('7916', 16);
  pdu.copy(delivered, personAt, person, person + PERSON.length);
  setTimeout(() => receipts.add(delivered), DELIVERY_MS);
}

const server = createServer((socket) => {
  const framer = new PduFramer();
  const receipts = new Receipts(socket);
  socket.setNoDelay(true).on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    for (const pdu of framer.push(chunk)) take(socket, receipts, pdu);
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log(`carrier on ${(server.address() as AddressInfo).port}`),
);
