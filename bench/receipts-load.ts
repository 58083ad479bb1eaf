/**
 * A process of load for `smpp-in`: messages over connections to the product or to Kannel, each with an answer and a receipt. It does as little
 * for one message as it can: a PDU or request is written from a template, and of what comes only what is counted is read.
 */
import { PduFramer, STATUS, encodePdu } from '@heliograph/smpp';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './rows.ts';

export interface Login {
  systemId: string;
  password: string;
}

/** What to open: sessions that are bound, or connections of HTTP to `sendsms`, whose receipts come to a port of this process. */
export type Door =
  | { kind: 'smpp'; port: number; logins: Login[] }
  | { kind: 'sendsms'; port: number; connections: number };

/** For so long, with so many unanswered messages of a connection; `perSecond`: at this rate, else as fast as they are answered. */
export interface Order {
  seconds: number;
  window: number;
  perSecond?: number;
}

export interface LoadResult {
  count: number;
  /** From the first message to the last answer, and to the last receipt. */
  answeredSeconds: number;
  receivedSeconds: number;
  /** Milliseconds to the answer: of a message at a given rate from the time at which it was due. */
  p50: number;
  p99: number;
}

/** One connection. */
interface Line {
  unanswered: number;
  send(n: number): void;
  enquire?(): void;
}

const CONNECT_AT_A_TIME = 20;
const STALL_MS = 60_000;
const TICK_MS = 2;
/** Seven digits of the number of a person. */
const PERSONS = 10_000_000;
const HEADER = 16;

let sent = 0;
let answered = 0;
let received = 0;
let lastAnswerAt = 0;
let lastReceiptAt = 0;
let latencies: number[] = [];
/** Of messages without an answer, by their number. */
const dueAt = new Map<number, number>();
/** Ids of messages that were answered and have no receipt yet, and of receipts that came before the answer. */
const open = new Set<string>();
const early = new Set<string>();
/** Enquiries of the server, and answers to ours. */
let enquired = 0;
let alive = 0;
let room: () => void = () => undefined;

function onAnswer(line: Line, n: number, id: string): void {
  line.unanswered--;
  answered++;
  lastAnswerAt = performance.now();
  latencies.push(lastAnswerAt - dueAt.get(n)!);
  dueAt.delete(n);
  if (!early.delete(id)) open.add(id);
  room();
}

function onReceipt(id: string): void {
  received++;
  lastReceiptAt = performance.now();
  if (!open.delete(id)) early.add(id);
}

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}

const phoneOf = (n: number) => `7916${String(n % PERSONS).padStart(7, '0')}`;
const textOf = (n: number) =>
  `Your order ${String(n % PERSONS).padStart(7, '0')} is ready, thank you`;

function submitTemplate() {
  const octets = encodePdu({
    command: 'submit_sm',
    sequence: 1,
    sourceAddrTon: 5,
    sourceAddr: 'MIRTEA',
    destAddrTon: 1,
    destAddrNpi: 1,
    destinationAddr: phoneOf(0),
    registeredDelivery: 1,
    shortMessage: Buffer.from(textOf(0), 'latin1'),
  });
  return { octets, person: octets.indexOf(phoneOf(0)), order: octets.indexOf('0000000 is') };
}
const template = submitTemplate();

/** A session. Resolves once it is bound. */
function session(port: number, login: Login): Promise<Line> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  const { promise, resolve } = Promise.withResolvers<Line>();
  const framer = new PduFramer();
  const line: Line = {
    unanswered: 0,
    send(n) {
      const octets = Buffer.from(template.octets);
      octets.writeUInt32BE(n + 1, 12);
      octets.write(phoneOf(n), template.person, 'latin1');
      octets.write(textOf(n).slice(11, 18), template.order, 'latin1');
      socket.write(octets);
    },
    enquire: () => socket.write(encodePdu({ command: 'enquire_link', sequence: 1 })),
  };
  socket.on('error', (error) => fail(`a session: ${error.message}`));
  socket.on('close', () => fail('the server closed a session'));
  socket.on('data', (chunk: Buffer) => {
    for (const pdu of framer.push(chunk)) read(socket, pdu, line, resolve);
  });
  socket.write(
    encodePdu({ command: 'bind_transceiver', sequence: 1, interfaceVersion: 0x34, ...login }),
  );
  return promise;
}

const COMMANDS = {
  bound: 0x80000009,
  answer: 0x80000004,
  deliver: 5,
  enquire: 0x15,
  alive: 0x80000015,
};

function read(socket: Socket, pdu: Buffer, line: Line, bound: (line: Line) => void): void {
  const command = pdu.readUInt32BE(4);
  const sequence = pdu.readUInt32BE(12);
  if (command < 0x80000000) {
    const isReceipt = command === COMMANDS.deliver;
    const answer = Buffer.alloc(isReceipt ? HEADER + 1 : HEADER);
    answer.writeUInt32BE(answer.length, 0);
    answer.writeUInt32BE((command | 0x80000000) >>> 0, 4);
    answer.writeUInt32BE(sequence, 12);
    socket.write(answer);
    if (isReceipt) {
      const id = pdu.indexOf('id:') + 3;
      onReceipt(pdu.toString('latin1', id, pdu.indexOf(' ', id)));
    } else enquired++;
    return;
  }
  if (command === COMMANDS.alive) return void alive++;
  const status = pdu.readUInt32BE(8);
  if (status !== STATUS.ESME_ROK) fail(`an answer with the status ${status}`);
  if (command === COMMANDS.bound) bound(line);
  else onAnswer(line, sequence - 1, pdu.toString('latin1', HEADER, pdu.length - 1));
}

/** A connection to `sendsms` of Kannel, which has one request at a time. One that was idle for a while is closed by Kannel. */
function caller(port: number, receipts: number): Promise<Line> {
  let socket: Socket;
  let current = 0;
  let text = '';
  const line: Line = {
    unanswered: 0,
    send(n) {
      current = n;
      if (socket.destroyed) open();
      const receipt = encodeURIComponent(`http://127.0.0.1:${receipts}/${n}`);
      const query = `username=bench&password=bench&from=MIRTEA&to=%2B${phoneOf(n)}&text=${encodeURIComponent(textOf(n))}&dlr-mask=3&dlr-url=${receipt}`;
      socket.write(`GET /cgi-bin/sendsms?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    },
  };
  const hear = (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const end = text.indexOf('\r\n\r\n') + 4;
    if (end < 4) return;
    const length = Number(/content-length: (\d+)/i.exec(text)![1]);
    if (text.length < end + length) return;
    if (!/^HTTP\/1.1 202 /.test(text)) fail(`Kannel answered ${text}`);
    text = '';
    onAnswer(line, current, String(current));
  };
  const open = () => {
    socket = connect(port, '127.0.0.1').setNoDelay(true);
    socket.on('error', (error) => fail(`a connection: ${error.message}`));
    socket.on('close', () => line.unanswered && fail('Kannel closed a connection'));
    socket.on('data', hear);
  };
  open();
  return new Promise((resolve) => socket.once('connect', () => resolve(line)));
}

/** Where Kannel tells of receipts: the last part of a path is the number of its message. */
function receiptsServer(): Promise<number> {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
  const server = createServer((socket) => {
    let text = '';
    socket.setNoDelay(true).on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const calls = (text + chunk.toString('latin1')).split('\r\n\r\n');
      text = calls.pop()!;
      for (const call of calls) onReceipt(/^GET \/(\d+) /.exec(call)![1]!);
      socket.write(answer.repeat(calls.length));
    });
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}

async function openAll(door: Door): Promise<Line[]> {
  const receipts = door.kind === 'sendsms' ? await receiptsServer() : 0;
  const openers =
    door.kind === 'smpp'
      ? door.logins.map((login) => () => session(door.port, login))
      : Array.from({ length: door.connections }, () => () => caller(door.port, receipts));
  const all: Line[] = [];
  while (openers.length)
    all.push(...(await Promise.all(openers.splice(0, CONNECT_AT_A_TIME).map((one) => one()))));
  return all;
}

/** The line with most room, in turn among equals. */
function nextLine(lines: Line[], window: number): Line | undefined {
  for (let i = 0; i < lines.length; i++) {
    const line = lines[(sent + i) % lines.length]!;
    if (line.unanswered < window) return line;
  }
  return undefined;
}

async function work(lines: Line[], { seconds, window, perSecond }: Order): Promise<LoadResult> {
  const [first, started] = [sent, performance.now()];
  latencies = [];
  const wanted = (now: number) =>
    first +
    (perSecond
      ? Math.floor((Math.min(now - started, seconds * 1000) / 1000) * perSecond)
      : Infinity);
  const fill = () => {
    const now = performance.now();
    if (!perSecond && now - started >= seconds * 1000) return;
    const last = wanted(now);
    while (sent < last) {
      const line = nextLine(lines, window);
      if (!line) return;
      const n = sent++;
      line.unanswered++;
      dueAt.set(n, perSecond ? started + ((n - first) / perSecond) * 1000 : now);
      line.send(n);
    }
  };
  room = fill;
  while (performance.now() - started < seconds * 1000) {
    fill();
    await sleep(TICK_MS);
  }
  fill();
  await settled();
  room = () => undefined;
  return {
    count: sent - first,
    answeredSeconds: (lastAnswerAt - started) / 1000,
    receivedSeconds: (lastReceiptAt - started) / 1000,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  };
}

/** Each message has an answer and one receipt. */
async function settled(): Promise<void> {
  let [before, at] = [-1, performance.now()];
  while (answered < sent || received < sent) {
    if (answered + received !== before) [before, at] = [answered + received, performance.now()];
    if (performance.now() - at > STALL_MS)
      fail(`of ${sent} messages ${answered} have answers and ${received} receipts`);
    await sleep(TICK_MS);
  }
  if (received > sent || open.size || early.size)
    fail(`${received} receipts of ${sent} messages, ${open.size} without one`);
}

/** Waits until the server has asked in every session whether the link is up, and has answered the same question in every one. */
async function enquire(lines: Line[]): Promise<{ enquired: number; alive: number }> {
  const before = enquired;
  for (const line of lines) line.enquire!();
  for (const started = performance.now(); performance.now() - started < STALL_MS;) {
    if (enquired - before >= lines.length && alive >= lines.length) break;
    await sleep(100);
  }
  return { enquired: enquired - before, alive };
}

const lines = await openAll(JSON.parse(process.argv[2]!) as Door);
process.on('message', (order: Order | 'enquire') => {
  const done = order === 'enquire' ? enquire(lines) : work(lines, order);
  void done.then((result) => process.send!(result));
});
process.on('disconnect', () => process.exit());
process.send!('open');
