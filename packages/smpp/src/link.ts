import type { Duplex } from 'node:stream';

import { type BindFields, type BindKind, BindRefused, bind } from './bind.ts';
import type { Delivered } from './incoming.ts';
import { PduError } from './octets.ts';
import type { PduInput } from './pdu.ts';
import { type Answer, NoResponse, Session, type SessionOptions } from './session.ts';
import { STATUS } from './statuses.ts';
import { Window } from './window.ts';

export interface LinkOptions extends Pick<
  SessionOptions,
  'responseMs' | 'enquireMs' | 'maxHandled' | 'notify'
> {
  /** `pair`: a transmitter and a receiver, for carriers without transceivers. */
  mode: 'transceiver' | 'pair';
  bind: BindFields;
  /** Unanswered submits at a time. */
  window: number;
  /** Opens a connection, through whatever guards the platform has. */
  connect(signal: AbortSignal): Promise<Duplex>;
  /** Stores a receipt or message. It is acknowledged when this resolves, and comes again when it rejects. */
  deliver(message: Delivered): Promise<void>;
  onChange?(change: LinkChange): void;
  /** Uniform in [0, 1). */
  random?(): number;
}

export type LinkChange =
  | { state: 'bound'; kind: BindKind }
  | { state: 'lost'; kind: BindKind; reason: string; retryMs: number };

export type SubmitFields = Omit<PduInput<'submit_sm'>, 'command' | 'sequence' | 'status'>;

/** What became of a part. */
export type SubmitOutcome =
  | { outcome: 'accepted'; messageId: string }
  | { outcome: 'refused'; status: number }
  /** Refused for the rate; `retryMs` is how long the link is held. */
  | { outcome: 'throttled'; status: number; retryMs: number }
  /** It was sent, and there is no answer. */
  | { outcome: 'unknown'; reason: string }
  /** It never left. */
  | { outcome: 'unsent'; reason: string };

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 90_000;
const REFUSED_RETRY_MS = 60_000;

/** How long a refusal for the rate holds the link at first: a queue takes longer to empty than a second to pass. */
const HOLDS = new Map<number, number>([
  [STATUS.ESME_RTHROTTLED, 1_000],
  [STATUS.ESME_RMSGQFUL, 5_000],
]);
/** Later parts of a message are submitted so many times, as the first one is gone already. */
const MAX_REPEATS = 5;

interface Bound {
  session: Session;
  window: Window;
}

/** A bind that is made again whenever it is lost. */
class Rebind {
  bound: Bound | undefined;
  /** Resolves when the last session has ended. */
  readonly finished: Promise<void>;

  private readonly kind: BindKind;
  private readonly options: LinkOptions;
  private readonly stop = new AbortController();
  private readonly onBound: () => void;

  constructor(kind: BindKind, options: LinkOptions, onBound: () => void) {
    this.kind = kind;
    this.options = options;
    this.onBound = onBound;
    this.finished = this.run();
  }

  async close(waitMs?: number): Promise<void> {
    this.stop.abort();
    await this.bound?.session.unbind(waitMs);
    await this.finished;
  }

  private async run(): Promise<void> {
    const { kind, options, stop } = this;
    const { random = Math.random } = options;
    let failures = 0;
    while (!stop.signal.aborted) {
      let reason: string;
      let retryMs: number;
      try {
        const session = await this.open();
        failures = 0;
        reason = await this.serve(session);
        retryMs = FIRST_RETRY_MS * (1 + random());
      } catch (error) {
        reason = (error as Error).message;
        const ms = Math.min(FIRST_RETRY_MS * 2 ** failures++, MAX_RETRY_MS);
        // Half of it at random, so that what was lost together does not come back together.
        retryMs = (ms / 2) * (1 + random());
        if (error instanceof BindRefused) {
          retryMs = REFUSED_RETRY_MS + (MAX_RETRY_MS - REFUSED_RETRY_MS) * random();
        }
      }
      if (stop.signal.aborted) return;
      options.onChange?.({ state: 'lost', kind, reason, retryMs });
      await sleep(retryMs, stop.signal);
    }
  }

  private async open(): Promise<Session> {
    const { kind, options, stop } = this;
    const socket = await options.connect(stop.signal);
    if (stop.signal.aborted) {
      socket.destroy();
      throw new Error('Closed');
    }
    const closeBind = () => socket.destroy();
    stop.signal.addEventListener('abort', closeBind);
    try {
      const handle = (request: Parameters<SessionOptions['handle']>[0]) =>
        answer(request, options.deliver);
      return await bind(socket, kind, options.bind, { ...options, handle });
    } finally {
      stop.signal.removeEventListener('abort', closeBind);
    }
  }

  private async serve(session: Session): Promise<string> {
    const window = new Window(this.options.window);
    this.bound = { session, window };
    this.options.onChange?.({ state: 'bound', kind: this.kind });
    this.onBound();
    // Closed between its bind and this line: nobody would unbind it.
    if (this.stop.signal.aborted) void session.unbind();
    const reason = await session.closed;
    this.bound = undefined;
    window.close();
    return reason;
  }
}

/** Receipts and messages; a client answers nothing else. */
async function answer(
  request: Parameters<SessionOptions['handle']>[0],
  deliver: LinkOptions['deliver'],
): Promise<Answer> {
  if (request.command !== 'deliver_sm' && request.command !== 'data_sm') {
    return { status: STATUS.ESME_RINVBNDSTS };
  }
  await deliver(request);
  return { status: STATUS.ESME_ROK };
}

/** A link to a carrier: a transceiver, or a transmitter with a receiver. All parts of a message go over one session. */
export class Link {
  private readonly binds: Rebind[];
  private waiting: (() => void)[] = [];
  private isClosed = false;

  constructor(options: LinkOptions) {
    const onBound = () => {
      for (const resolve of this.waiting.splice(0)) resolve();
    };
    const kinds: BindKind[] =
      options.mode === 'pair' ? ['bind_transmitter', 'bind_receiver'] : ['bind_transceiver'];
    this.binds = kinds.map((kind) => new Rebind(kind, options, onBound));
  }

  /** Whether submits are possible. */
  get isBound(): boolean {
    return this.transmitter?.session.isOpen ?? false;
  }

  get window(): { limit: number; used: number; heldMs: number } {
    const { limit = 0, used = 0, heldMs = 0 } = this.transmitter?.window ?? {};
    return { limit, used, heldMs };
  }

  /** Resolves when submits are possible, or when the signal is aborted or the link closed. */
  async ready(signal: AbortSignal): Promise<boolean> {
    while (!this.isBound && !signal.aborted && !this.isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      this.waiting.push(wake);
      signal.addEventListener('abort', wake);
      await promise;
      signal.removeEventListener('abort', wake);
      this.waiting = this.waiting.filter((other) => other !== wake);
    }
    return this.isBound;
  }

  /**
   * Submits the parts of a message in their order. The first goes alone: a message that is refused leaves no parts behind. A part
   * that cannot be written is refused with the status by which a carrier would refuse it. Never rejects.
   */
  async submit(parts: SubmitFields[], signal?: AbortSignal): Promise<SubmitOutcome[]> {
    const bound = this.transmitter;
    const unsent = (reason: string): SubmitOutcome => ({ outcome: 'unsent', reason });
    if (!bound?.session.isOpen) return parts.map(() => unsent('Not bound'));
    const [first, ...rest] = parts;
    if (!first) return [];
    const begun = await submitPart(bound, first, signal);
    if (begun.outcome !== 'accepted') return [begun, ...rest.map(() => unsent('Not begun'))];
    let isRefused = false;
    const others: Promise<SubmitOutcome>[] = [];
    for (const part of rest) {
      if (!(await bound.window.acquire(signal)) || isRefused) {
        if (isRefused) bound.window.release(false);
        others.push(Promise.resolve(unsent('The message cannot be completed')));
        isRefused = true;
        continue;
      }
      others.push(
        submitRepeatedly(bound, part, signal).then((result) => {
          if (result.outcome !== 'accepted') isRefused = true;
          return result;
        }),
      );
    }
    return [begun, ...(await Promise.all(others))];
  }

  /** Unbinds when what is under way is answered, or after so many milliseconds, by which answers would be overdue if it is not given. */
  async close(waitMs?: number): Promise<void> {
    this.isClosed = true;
    for (const resolve of this.waiting.splice(0)) resolve();
    await Promise.all(this.binds.map((one) => one.close(waitMs)));
  }

  private get transmitter(): Bound | undefined {
    return this.binds[0]!.bound;
  }
}

async function submitPart(
  bound: Bound,
  part: SubmitFields,
  signal?: AbortSignal,
): Promise<SubmitOutcome> {
  if (!(await bound.window.acquire(signal))) return { outcome: 'unsent', reason: 'No window' };
  return submitAcquired(bound, part);
}

/** In a place of the window that is taken, and given back here. */
async function submitAcquired(
  { session, window }: Bound,
  part: SubmitFields,
): Promise<SubmitOutcome> {
  try {
    const response = await session.request('submit_sm', part);
    const { status } = response;
    const holdMs = HOLDS.get(status);
    if (holdMs !== undefined) {
      window.refuse(holdMs);
      return { outcome: 'throttled', status, retryMs: window.heldMs };
    }
    window.release(status === 0);
    return status === 0 && response.command === 'submit_sm_resp'
      ? { outcome: 'accepted', messageId: response.messageId }
      : { outcome: 'refused', status };
  } catch (error) {
    window.release(false);
    if (error instanceof PduError) return { outcome: 'refused', status: error.status };
    if (!(error instanceof NoResponse)) throw error;
    const { isSent, message: reason } = error;
    return { outcome: isSent ? 'unknown' : 'unsent', reason };
  }
}

/** A later part of a message: refused for the rate, it goes again before all else. */
async function submitRepeatedly(
  bound: Bound,
  part: SubmitFields,
  signal?: AbortSignal,
): Promise<SubmitOutcome> {
  for (let repeats = 0; ; repeats++) {
    const result = await submitAcquired(bound, part);
    if (result.outcome !== 'throttled' || repeats === MAX_REPEATS) return result;
    if (!(await bound.window.acquire(signal, true))) {
      return { outcome: 'unsent', reason: result.outcome };
    }
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
