import type { Duplex } from 'node:stream';

import { COMMANDS, type Command, type Request, commandOf, isResponseId } from './commands.ts';
import { PduFramer } from './framer.ts';
import { PduError } from './octets.ts';
import { type Pdu, type PduInput, type PduOf, decodePdu, encodePdu } from './pdu.ts';
import { STATUS } from './statuses.ts';

/** Why a request has no answer. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  /** Whether it may have reached the peer. */
  readonly isSent: boolean;

  constructor(reason: string, isSent: boolean) {
    super(reason);
    this.isSent = isSent;
  }
}

/** The answer to a request of the peer: a status, or the fields of a response. */
export type Answer = { [C in Command]: Omit<PduInput<C>, 'command' | 'sequence'> }[Command];

export interface SessionOptions {
  /** Refuse what the specification does not allow, as a server does. */
  isStrict?: boolean;
  /** After this time without an answer to a request the session is closed: it is not known what became of the request. */
  responseMs?: number;
  /** After this silence of the peer an enquire_link is sent; the second without an answer closes the session. */
  enquireMs?: number;
  /** After this silence of the peer the session is closed. */
  inactivityMs?: number;
  /** Requests of the peer that are handled at a time; more are refused for now. */
  maxHandled?: number;
  /** Answers a request of the peer. A rejection refuses it for now. */
  handle(request: Pdu, session: Session): Promise<Answer>;
  /** PDUs that have no answer. */
  notify?(pdu: PduOf<'alert_notification'> | PduOf<'outbind'>): void;
}

const DEFAULTS = { responseMs: 60_000, enquireMs: 30_000, maxHandled: 1_000 };
const MAX_SEQUENCE = 0x7fffffff;
/** How long an unbind waits for what is under way, and for its answer. */
const UNBIND_MS = 5_000;

interface Pending {
  command: Request;
  resolve(response: Pdu): void;
  reject(error: NoResponse): void;
  timer: NodeJS.Timeout;
}

/**
 * One connection of SMPP, of either side. It numbers requests and finds their answers, watches over the peer's silence, answers
 * what is no PDU, and ends in one of three ways: unbound by us, unbound by the peer, or closed.
 */
export class Session {
  /** Resolves with the reason when the session has ended. */
  readonly closed: Promise<string>;

  private readonly socket: Duplex;
  private readonly options: SessionOptions & typeof DEFAULTS;
  private readonly framer = new PduFramer();
  private readonly pending = new Map<number, Pending>();
  private readonly end = Promise.withResolvers<string>();
  private state: 'open' | 'unbinding' | 'closed' = 'open';
  private lastSequence = 0;
  private handled = 0;
  private heardAt = Date.now();
  private unanswered = 0;
  private watch: NodeJS.Timeout | undefined;
  /** Told when nothing is under way any more. */
  private idle: (() => void) | undefined;

  constructor(socket: Duplex, options: SessionOptions) {
    this.socket = socket;
    this.options = { ...DEFAULTS, ...options };
    this.closed = this.end.promise;
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('drain', () => socket.resume());
    socket.on('error', (error) => this.close(error.message));
    socket.on('end', () => this.close('The peer closed the connection'));
    socket.on('close', () => this.close('The connection was closed'));
    this.watchSilence();
  }

  get isOpen(): boolean {
    return this.state === 'open';
  }

  /** Requests without an answer yet. */
  get inFlight(): number {
    return this.pending.size;
  }

  /**
   * Sends a request. Resolves with its response, or with the generic_nack that refuses it; rejects with NoResponse. Throws a
   * PduError for values that cannot be written.
   */
  async request<C extends Request>(
    command: C,
    fields: Omit<PduInput<C>, 'command' | 'sequence'>,
  ): Promise<Pdu> {
    if (this.state !== 'open') throw new NoResponse('The session has ended', false);
    return this.send(command, fields);
  }

  /** Ends the session by the book: waits for what is under way, for so long at most, tells the peer, and closes. */
  async unbind(waitMs = this.options.responseMs): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'unbinding';
    await this.settled(Math.min(waitMs, this.options.responseMs));
    if (this.state === 'unbinding') {
      await this.send('unbind', {}, UNBIND_MS).catch(() => {});
    }
    this.close('Unbound');
  }

  /** Closes the connection. What is unanswered has an unknown outcome. */
  close(reason: string): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    clearTimeout(this.watch);
    const open = [...this.pending.values()];
    this.pending.clear();
    for (const { reject, timer } of open) {
      clearTimeout(timer);
      reject(new NoResponse(reason, true));
    }
    this.idle?.();
    // What was written still goes out, to a peer that reads.
    this.socket.end();
    const timer = setTimeout(() => this.socket.destroy(), 1_000);
    timer.unref();
    this.socket.once('close', () => clearTimeout(timer));
    this.end.resolve(reason);
  }

  private send<C extends Request>(
    command: C,
    fields: Omit<PduInput<C>, 'command' | 'sequence'>,
    responseMs = this.options.responseMs,
  ): Promise<Pdu> {
    const sequence = this.nextSequence();
    const octets = encodePdu({ ...fields, command, sequence } as PduInput<C>);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(sequence);
        reject(new NoResponse(`No answer to ${command}`, true));
        this.close(`No answer to ${command}`);
      }, responseMs);
      this.pending.set(sequence, { command, resolve, reject, timer });
      this.socket.write(octets);
    });
  }

  private nextSequence(): number {
    do {
      this.lastSequence = (this.lastSequence % MAX_SEQUENCE) + 1;
    } while (this.pending.has(this.lastSequence));
    return this.lastSequence;
  }

  private read(chunk: Buffer): void {
    try {
      for (const octets of this.framer.push(chunk)) {
        if (this.state === 'closed') return;
        this.heardAt = Date.now();
        this.unanswered = 0;
        this.receive(octets);
      }
    } catch (error) {
      if (!(error instanceof PduError)) throw error;
      // Where the next PDU begins is not known.
      this.write('generic_nack', 0, { status: error.status });
      this.close(error.message);
    }
    // A peer that does not read is not read either.
    if (this.socket.writableNeedDrain) this.socket.pause();
  }

  private receive(octets: Buffer): void {
    const { pdu, error, ...about } = decodePdu(octets, this.options.isStrict);
    if (error) {
      const { id, header } = about as { id: number; header: { sequence: number } };
      if (isResponseId(id)) this.settle(header.sequence, undefined);
      else
        this.write(responseTo(commandOf(id)?.command), header.sequence, { status: error.status });
      return;
    }
    if (isResponseId(COMMANDS[pdu.command].id)) return this.settle(pdu.sequence, pdu);
    switch (pdu.command) {
      case 'enquire_link':
        return this.write('enquire_link_resp', pdu.sequence, {});
      case 'unbind':
        return void this.unbound(pdu.sequence);
      case 'alert_notification':
      case 'outbind':
        return this.options.notify?.(pdu);
      default:
        return void this.handle(pdu);
    }
  }

  private async handle(request: Pdu): Promise<void> {
    const isDelivery = request.command === 'deliver_sm' || request.command === 'data_sm';
    const response = responseTo(request.command);
    const refusal = isDelivery ? STATUS.ESME_RX_T_APPN : STATUS.ESME_RTHROTTLED;
    if (this.handled >= this.options.maxHandled) {
      return this.write(response, request.sequence, { status: refusal });
    }
    this.handled++;
    try {
      this.write(response, request.sequence, await this.options.handle(request, this));
    } catch {
      const status = isDelivery ? refusal : STATUS.ESME_RSYSERR;
      this.write(response, request.sequence, { status });
    }
    this.handled--;
    this.checkIdle();
  }

  /** An answer; `undefined` is one that cannot be read. An answer to nothing is passed over: to answer it would be a loop. */
  private settle(sequence: number, response: Pdu | undefined): void {
    const pending = this.pending.get(sequence);
    if (!pending) return;
    const isFitting =
      !response ||
      response.command === 'generic_nack' ||
      response.command === responseTo(pending.command);
    if (!isFitting) return;
    this.pending.delete(sequence);
    clearTimeout(pending.timer);
    if (response) pending.resolve(response);
    else pending.reject(new NoResponse('An answer cannot be read', true));
    this.checkIdle();
  }

  /** The peer ends the session: what is under way may still be answered for a while. */
  private async unbound(sequence: number): Promise<void> {
    if (this.state === 'open') {
      this.state = 'unbinding';
      await this.settled(UNBIND_MS);
    }
    this.write('unbind_resp', sequence, {});
    this.close('The peer unbound');
  }

  /** Resolves when nothing is under way, or after a time. */
  private settled(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.idle = () => {
        clearTimeout(timer);
        resolve();
      };
      this.checkIdle();
    });
  }

  private checkIdle(): void {
    if (this.pending.size === 0 && this.handled === 0) this.idle?.();
  }

  private write(command: Command, sequence: number, answer: Answer): void {
    if (this.state === 'closed') return;
    this.socket.write(encodePdu({ ...answer, command, sequence } as PduInput<Command>));
  }

  private watchSilence(): void {
    const { enquireMs, inactivityMs = Infinity } = this.options;
    const silence = Date.now() - this.heardAt;
    if (silence >= inactivityMs) return this.close('The peer was silent');
    if (silence >= enquireMs * (this.unanswered + 1)) {
      if (this.unanswered === 2) return this.close('Two enquire_link without an answer');
      this.unanswered++;
      if (this.state === 'open') {
        // Its answer is any PDU of the peer; this timer watches over it.
        this.send('enquire_link', {}, enquireMs * 3).catch(() => {});
      }
    }
    const due = Math.min(enquireMs * (this.unanswered + 1), inactivityMs) - silence;
    if (due < Infinity) this.watch = setTimeout(() => this.watchSilence(), Math.max(1, due));
  }
}

/** The response to a command; a generic_nack where there is none. */
function responseTo(command: Command | undefined): Command {
  const response = `${command}_resp`;
  return response in COMMANDS ? (response as Command) : 'generic_nack';
}
