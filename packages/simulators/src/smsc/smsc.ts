import { type Server, createServer } from 'node:net';
import type { Duplex } from 'node:stream';

import {
  type Answer,
  type Content,
  type Pdu,
  type PduOf,
  STATUS,
  Session,
  TEXT_OPTIONS,
  contentOf,
  parseTime,
  partsOf,
  addressOf,
  senderOf,
  textOf,
  tlvOf,
} from '@heliograph/smpp';
import { type CarrierProfile, type ProfileOptions, carrierProfile } from '../carrier/profile.ts';
import { planReports, respondToSubmit } from '../carrier/simulated-carrier.ts';
import { type Delivery, Mailbox } from './mailbox.ts';
import { RECEIPT_FORMATS, type ReceiptFormatName } from './receipt-formats.ts';

export interface SmscOptions {
  systemId: string;
  password: string;
  /** Further binds are refused while there are so many. */
  maxBinds?: number;
  profile?: ProfileOptions;
  seed?: string;
  receipts?: ReceiptFormatName;
  /** Each answer to a submit waits so long. */
  answerMs?: number;
  /** After so many submits of a connection it is cut, and they are not answered any more. */
  breakAfter?: number;
  /** Final receipts are sent at once, before the answers. */
  receiptsFirst?: boolean;
  /** Is told of what happens, of a submit before it is answered. Kept outside the process it is what `restore` takes. */
  journal?: (event: SmscEvent) => void;
}

export type SmscEvent =
  | { event: 'submitted'; message: Submitted }
  /** The receipt of a part was acknowledged. */
  | { event: 'receipted'; id: number }
  /** A bind, by its number; `unbound` by the customer, or `closed` without. */
  | { event: 'bound' | 'unbound' | 'closed'; bind: number };

/** A part of a message as it was submitted. */
export interface Submitted {
  id: number;
  source: string;
  recipient: string;
  text: string;
  /** The number of the bind over which it came. */
  bind: number;
  part?: { reference: number; total: number; index: number };
  registeredDelivery: number;
  dataCoding: number;
  /** The status of the answer; null if there was none. */
  status: number | null;
  /** When it came, in milliseconds. */
  at: number;
  /** Its own addresses, turned around. */
  receiptAddresses: Pick<
    Delivery,
    | 'sourceAddrTon'
    | 'sourceAddrNpi'
    | 'sourceAddr'
    | 'destAddrTon'
    | 'destAddrNpi'
    | 'destinationAddr'
  >;
}

interface Bound {
  number: number;
  mayTransmit: boolean;
  mayReceive: boolean;
  submits: number;
}

const MAX_LOG = 100_000;
const INIT_MS = 30_000;
const INACTIVITY_MS = 300_000;
const CLOSE_MS = 1_000;
const UDHI = 0x40;
/** Why a session of a customer who unbound has ended. */
const PEER_UNBOUND = 'The peer unbound';
/** Octets of one short message, and septets where they are not packed, with those of its header. */
const MAX_OCTETS = 140;
const MAX_SEPTETS = 160;

const STATUS_BY_CODE: Record<string, number> = {
  rejected_sender: STATUS.ESME_RINVSRCADR,
  landline: STATUS.ESME_RINVDSTADR,
  invalid_recipient: STATUS.ESME_RINVDSTADR,
};
const STATE_BY_CODE: Record<string, number> = { expired: 3, deleted: 4, rejected: 8 };
/** Codes of this SMSC's network, for an operator's table of errors. */
export const NETWORK_ERRORS: Record<string, number> = {
  absent_subscriber: 1,
  temporary: 2,
  blocked: 3,
  undeliverable: 4,
  partial: 5,
};

/**
 * A simulated SMSC. It decides as the other simulated carriers do, refuses what SMPP does not allow, and has the faults that real
 * ones have. What it was given lives as long as the process, unless it has a journal.
 */
export class Smsc {
  readonly log: Submitted[] = [];
  readonly mailbox = new Mailbox();
  options: SmscOptions;
  /** How often it was bound. */
  binds = 0;

  private readonly server: Server;
  private readonly sessions = new Map<Session, Bound | undefined>();
  private readonly timers = new Set<NodeJS.Timeout>();
  /** Earlier submits of the same content to the same person. */
  private readonly tries = new Map<string, number>();
  private lastId = 1_000;
  private lastReference = 0;

  constructor(options: SmscOptions) {
    this.options = options;
    this.server = createServer((socket) => this.serve(socket.setNoDelay(true)));
  }

  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        resolve((this.server.address() as { port: number }).port);
      });
    });
  }

  /** Serves one connection, of any kind. */
  serve(socket: Duplex): void {
    const session = new Session(socket, {
      isStrict: true,
      inactivityMs: INACTIVITY_MS,
      handle: (request) => this.handle(request, session, socket),
    });
    this.sessions.set(session, undefined);
    const init = this.later(INIT_MS, () => {
      if (!this.sessions.get(session)) session.close('Not bound in time');
    });
    void session.closed.then(() => {
      clearTimeout(init);
      this.sessions.delete(session);
    });
  }

  /** Goes on where an SMSC with the same options ended, by its journal: with its log and its numbers, and with the receipts that it owes. */
  restore(events: readonly SmscEvent[]): void {
    const receipted = new Set(events.flatMap((one) => (one.event === 'receipted' ? one.id : [])));
    const open = new Set<number>();
    for (const one of events) {
      if (one.event === 'bound') open.add((this.binds = one.bind));
      else if (one.event === 'unbound' || one.event === 'closed') open.delete(one.bind);
      else if (one.event === 'submitted') {
        const { message } = one;
        this.lastId = message.id;
        this.log.push(message);
        if (!receipted.has(message.id)) this.plan(message);
      }
    }
    // They ended with the process.
    for (const bind of open) this.options.journal?.({ event: 'closed', bind });
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    this.mailbox.close();
    const closed = new Promise((resolve) => this.server.close(resolve));
    await Promise.all([...this.sessions.keys()].map(end));
    if (this.server.listening) await closed;
  }

  /** A message of a person. */
  receive(from: string, to: string, text: string, options = TEXT_OPTIONS): void {
    const source = { sourceAddrTon: 1, sourceAddrNpi: 1, sourceAddr: from.replace('+', '') };
    const { ton, npi, address } = addressOf(to);
    const destination = { destAddrTon: ton, destAddrNpi: npi, destinationAddr: address };
    for (const part of partsOf(text, options, ++this.lastReference)) {
      this.mailbox.add({ ...source, ...destination, ...part });
    }
  }

  private get bound(): Bound[] {
    return [...this.sessions.values()].filter((bound) => bound !== undefined);
  }

  private get profile(): CarrierProfile {
    return carrierProfile(this.options.profile);
  }

  private async handle(request: Pdu, session: Session, socket: Duplex): Promise<Answer> {
    const bound = this.sessions.get(session);
    switch (request.command) {
      case 'bind_receiver':
      case 'bind_transmitter':
      case 'bind_transceiver':
        return bound ? { status: STATUS.ESME_RALYBND } : this.bind(request, session);
      case 'submit_sm':
        if (!bound?.mayTransmit) return { status: STATUS.ESME_RINVBNDSTS };
        return this.submit(request, bound, socket);
      case 'query_sm':
        if (!bound?.mayTransmit) return { status: STATUS.ESME_RINVBNDSTS };
        return { status: STATUS.ESME_RQUERYFAIL };
      case 'cancel_sm':
        return { status: bound?.mayTransmit ? STATUS.ESME_RCANCELFAIL : STATUS.ESME_RINVBNDSTS };
      case 'replace_sm':
        return { status: bound?.mayTransmit ? STATUS.ESME_RREPLACEFAIL : STATUS.ESME_RINVBNDSTS };
      default:
        // Known, and not offered: submit_multi and data_sm.
        return { status: bound ? STATUS.ESME_RINVCMDID : STATUS.ESME_RINVBNDSTS };
    }
  }

  private bind(
    request: PduOf<'bind_transceiver'> | PduOf<'bind_receiver'> | PduOf<'bind_transmitter'>,
    session: Session,
  ): Answer {
    const { systemId, password, maxBinds = Infinity } = this.options;
    if (this.profile.down) return { status: STATUS.ESME_RBINDFAIL };
    if (request.systemId !== systemId) return { status: STATUS.ESME_RINVSYSID };
    if (request.password !== password) return { status: STATUS.ESME_RINVPASWD };
    if (this.bound.length >= maxBinds) return { status: STATUS.ESME_RBINDFAIL };
    const mayTransmit = request.command !== 'bind_receiver';
    const mayReceive = request.command !== 'bind_transmitter';
    const number = ++this.binds;
    this.sessions.set(session, { number, mayTransmit, mayReceive, submits: 0 });
    this.options.journal?.({ event: 'bound', bind: number });
    void session.closed.then((reason) => {
      const event = reason === PEER_UNBOUND ? 'unbound' : 'closed';
      this.options.journal?.({ event, bind: number });
    });
    // After the answer.
    if (mayReceive) setImmediate(() => this.mailbox.attach(session));
    return { systemId: 'heliograph-smsc' };
  }

  private async submit(request: PduOf<'submit_sm'>, bound: Bound, socket: Duplex): Promise<Answer> {
    const wrong = refusalOf(request);
    if (wrong !== undefined) return { status: wrong };
    const { answerMs = 0, breakAfter = Infinity } = this.options;
    const id = ++this.lastId;
    const content = contentOf(asDelivered(request), 'gsm');
    const status = this.decide(request, content, id, bound.number);
    if (++bound.submits > breakAfter) {
      socket.destroy();
      return new Promise(() => {});
    }
    if (answerMs > 0) await new Promise((resolve) => this.later(answerMs, () => resolve(null)));
    if (status === null) return new Promise(() => {});
    const { answerId } = RECEIPT_FORMATS[this.options.receipts ?? 'standard'];
    return status === 0 ? { messageId: answerId(id) } : { status };
  }

  /** Accepts or refuses a part, and plans its receipts. The status of the answer, null for one that is lost. */
  private decide(
    request: PduOf<'submit_sm'>,
    content: Content,
    id: number,
    bind: number,
  ): number | null {
    const recipient = `+${request.destinationAddr}`;
    const text = textOf(content);
    const key = JSON.stringify([recipient, text]);
    const tries = this.tries.get(key) ?? 0;
    const { concatenation: part } = content;
    const message: Submitted = {
      id,
      source: senderOf({ ton: request.sourceAddrTon, address: request.sourceAddr }),
      recipient,
      text,
      bind,
      part,
      registeredDelivery: request.registeredDelivery,
      dataCoding: request.dataCoding,
      status: STATUS.ESME_ROK,
      at: Date.now(),
      receiptAddresses: {
        sourceAddrTon: request.destAddrTon,
        sourceAddrNpi: request.destAddrNpi,
        sourceAddr: request.destinationAddr,
        destAddrTon: request.sourceAddrTon,
        destAddrNpi: request.sourceAddrNpi,
        destinationAddr: request.sourceAddr,
      },
    };
    const asked = { ...carriedOf(message), tries };
    const answer = respondToSubmit(asked, this.profile, this.options.seed ?? '1');
    message.status =
      answer.result === 'accepted'
        ? STATUS.ESME_ROK
        : answer.result === 'throttled'
          ? STATUS.ESME_RTHROTTLED
          : answer.result === 'lost'
            ? null
            : (STATUS_BY_CODE[answer.code] ?? STATUS.ESME_RSUBMITFAIL);
    this.note(key, tries + 1);
    if (this.log.length >= MAX_LOG) this.log.shift();
    this.log.push(message);
    this.options.journal?.({ event: 'submitted', message });
    this.plan(message);
    return message.status;
  }

  private note(key: string, tries: number): void {
    this.tries.delete(key);
    this.tries.set(key, tries);
    if (this.tries.size > MAX_LOG) this.tries.delete(this.tries.keys().next().value!);
  }

  /** The receipts of a part, if it was accepted. */
  private plan(submitted: Submitted): void {
    const { id, recipient, text, part, status: answer, receiptAddresses } = submitted;
    if (answer !== STATUS.ESME_ROK && answer !== null) return;
    const submittedAt = new Date(submitted.at);
    const seed = this.options.seed ?? '1';
    const plan = planReports(carriedOf(submitted), this.profile, seed, submittedAt);
    const { write } = RECEIPT_FORMATS[this.options.receipts ?? 'standard'];
    const isLast = !part || part.index === part.total;
    for (const { status, code, at, due } of plan.reports) {
      if (status !== 'delivered' && status !== 'failed') continue;
      // Only some parts of such a message fail.
      const isFailed = status === 'failed' && (code !== 'partial' || isLast);
      const wants = submitted.registeredDelivery & 0x03;
      if (wants === 0 || (wants === 2 && !isFailed)) continue;
      const receipt = write({
        id,
        state: isFailed ? (STATE_BY_CODE[code ?? ''] ?? 5) : 2,
        error: isFailed ? (NETWORK_ERRORS[code ?? ''] ?? 99) : 0,
        submittedAt,
        at,
        text: text.slice(0, 20).replace(/[^ -~]/g, '?'),
      });
      const delivery = { ...receipt, ...receiptAddresses };
      const send = () =>
        this.mailbox.add(delivery, () => this.options.journal?.({ event: 'receipted', id }));
      if (this.options.receiptsFirst) send();
      else this.later(Math.max(0, due.getTime() - Date.now()), send);
    }
    const { reply } = plan;
    if (reply && isLast) {
      this.later(Math.max(0, reply.at.getTime() - Date.now()), () =>
        this.receive(recipient, receiptAddresses.destinationAddr!, reply.text),
      );
    }
  }

  private later(ms: number, run: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, ms);
    this.timers.add(timer);
    return timer;
  }
}

/** A part as the simulated carriers know messages: those of one message fare alike. */
export function carriedOf({ id, recipient, part }: Pick<Submitted, 'id' | 'recipient' | 'part'>) {
  const reference = part ? `${recipient} ${part.reference}` : String(id);
  return { reference, type: 'sms', recipient } as const;
}

/** Answers that are never given are not waited for. */
async function end(session: Session): Promise<void> {
  const timer = setTimeout(() => session.close('The SMSC ends'), CLOSE_MS);
  await session.unbind();
  clearTimeout(timer);
}

/** submit_sm and deliver_sm have the same content. */
const asDelivered = (request: PduOf<'submit_sm'>): PduOf<'deliver_sm'> => ({
  ...request,
  command: 'deliver_sm',
});

/** The status by which a submit is refused that is not allowed. */
function refusalOf(request: PduOf<'submit_sm'>): number | undefined {
  const { shortMessage, esmClass, tlvs, sourceAddr, sourceAddrTon } = request;
  const payload = tlvOf(tlvs, 'messagePayload');
  if (!/^\d{3,20}$/.test(request.destinationAddr)) return STATUS.ESME_RINVDSTADR;
  if (sourceAddrTon === 5 && !/^.{1,11}$/.test(sourceAddr)) return STATUS.ESME_RINVSRCADR;
  if (sourceAddrTon === 1 && !/^\d{7,15}$/.test(sourceAddr)) return STATUS.ESME_RINVSRCADR;
  if (payload && shortMessage.length > 0) return STATUS.ESME_RINVMSGLEN;
  const { validityPeriod, scheduleDeliveryTime } = request;
  const now = new Date();
  if (validityPeriod && !parseTime(validityPeriod, now)) return STATUS.ESME_RINVEXPIRY;
  if (scheduleDeliveryTime && !parseTime(scheduleDeliveryTime, now)) return STATUS.ESME_RINVSCHED;
  // The network has septets for what is not binary and not UCS-2.
  const isSeptets = [0, 1, 3].includes(request.dataCoding);
  const header = esmClass & UDHI ? (shortMessage[0] ?? 0) + 1 : 0;
  if (header > shortMessage.length || (esmClass & UDHI && header < 3)) {
    return STATUS.ESME_RINVESMCLASS;
  }
  const room = isSeptets ? MAX_SEPTETS - Math.ceil((header * 8) / 7) : MAX_OCTETS - header;
  return shortMessage.length - header > room ? STATUS.ESME_RINVMSGLEN : undefined;
}
