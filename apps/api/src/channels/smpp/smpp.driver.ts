import {
  type BindKind,
  contentOf,
  type Delivered,
  Link,
  type LinkChange,
  receiptOf,
  senderOf,
  textOf,
} from '@heliograph/smpp';

import { currentTime } from '../../core/time.ts';
import {
  type CarrierReport,
  ChannelDown,
  defineDriver,
  type Driver,
  type DriverContext,
  type OpenContext,
  type OutgoingMessage,
  type SubmitResult,
} from '../channel.ts';
import { addressIn, authorityIn, isTls } from '../socket-options.ts';
import { Collector } from './collector.ts';
import { errorTable, SmppOptions } from './options.ts';
import { ReceivedMessages } from './received.ts';
import { reportOf } from './reports.ts';
import { Submits } from './submit.ts';

/** Calls of one worker at a time: while one is recorded the window is filled by others, one of which may be a code. */
const CONCURRENCY = 3;
const MIN_BATCH = 10;
const MAX_BATCH = 500;
const CONNECT_MS = 10_000;
/** What is under way when the time of a batch runs out may be answered so much later. */
const LATE_MS = 2_000;
/** Calls have ended before: what is still unanswered is what they gave up. */
const CLOSE_MS = 3_000;
const PROGRESS_MS = 1_000;
/** Reports may come after the time for which the carrier tries. */
const REPORT_SECONDS = 3_600;

/** An operator of a mobile network, or who stands between, by SMPP 3.4. */
export const smppDriver = defineDriver({
  name: 'smpp',
  types: ['sms', 'smsping'],
  options: SmppOptions,
  describe: ({ binds, window, validitySeconds }) => ({
    deduplicates: false,
    // Two windows: the second waits while the first is answered, and a code waits for no more.
    maxBatch: Math.min(Math.max(MIN_BATCH, 2 * window), MAX_BATCH),
    concurrency: CONCURRENCY,
    isQueried: false,
    sessions: { binds },
    ...(validitySeconds !== undefined && { expiresAfter: () => validitySeconds + REPORT_SECONDS }),
  }),
  open: (options, context) => new SmppChannel(options, context),
});

type BindState = 'bound' | { reason: string; retryAt: number };

/** One link to the carrier, and what arrives on it. */
class SmppChannel implements Driver {
  private link: Link | undefined;
  /** While there is a link. */
  private received: ReceivedMessages | undefined;
  private readonly states = new Map<BindKind, BindState>();
  private isClosed = false;
  private changed = Promise.withResolvers<void>();
  private readonly submits: Submits;
  private readonly errors;
  private readonly reports: Collector<CarrierReport>;

  constructor(
    private readonly options: SmppOptions,
    private readonly context: OpenContext,
  ) {
    const { inbox } = context;
    this.submits = new Submits(options);
    this.errors = errorTable(options);
    this.reports = new Collector((items) => inbox.reports(items));
  }

  async connect(signal: AbortSignal): Promise<void> {
    if (!this.isClosed) this.link ??= this.openLink();
    for (;;) {
      const states = [...this.states.values()];
      if (this.link?.isBound && states.every((state) => state === 'bound')) return;
      for (const state of states) if (state !== 'bound') throwUntil(state);
      if (signal.aborted || this.isClosed) throw new ChannelDown('not bound in time', 0);
      await until(this.changed.promise, signal, 0);
    }
  }

  async send(
    batch: OutgoingMessage[],
    { signal, ...context }: DriverContext,
  ): Promise<SubmitResult[]> {
    if (!this.link?.isBound) await this.connect(signal);
    const link = this.link!;
    const results: SubmitResult[] = [];
    const submitted = batch.map(async (message) => {
      const result = await this.submits.submit(link, message, signal, context.trace);
      if (result) results.push(result);
    });
    // Each answer is waited for no longer than the session allows, so that this ends.
    const timer = setInterval(() => context.progress(), PROGRESS_MS);
    try {
      await until(Promise.all(submitted), signal, LATE_MS);
    } finally {
      clearInterval(timer);
    }
    return [...results];
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.changed.resolve();
    await this.link?.close(CLOSE_MS);
    await this.received?.leave();
  }

  private openLink(): Link {
    const { options, context } = this;
    const { mode, systemId, password, systemType, window, responseMs, enquireMs } = options;
    const kinds: BindKind[] =
      mode === 'pair' ? ['bind_transmitter', 'bind_receiver'] : ['bind_transceiver'];
    const connecting: BindState = { reason: 'not bound yet', retryAt: 0 };
    for (const kind of kinds) this.states.set(kind, connecting);
    const received = ReceivedMessages.of(context.channel, context.inbox);
    this.received = received;
    const { host, port } = addressIn(options);
    const tls = isTls(options)
      ? { ca: authorityIn(options), serverName: options.serverName }
      : undefined;
    return new Link({
      mode,
      bind: { systemId, password, systemType },
      window,
      responseMs,
      enquireMs,
      maxHandled: options.deliverLimit,
      connect: (signal) =>
        context.outbound.connect(host, port, {
          tls,
          signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]),
        }),
      deliver: (delivered) => this.deliver(delivered, received),
      onChange: (change) => this.onChange(change),
    });
  }

  private onChange(change: LinkChange): void {
    const { kind } = change;
    if (change.state === 'bound') this.states.set(kind, 'bound');
    else
      this.states.set(kind, {
        reason: change.reason,
        retryAt: currentTime() + change.retryMs,
      });
    this.changed.resolve();
    this.changed = Promise.withResolvers();
  }

  /** Stores what the carrier delivers; it is acknowledged when this resolves. */
  private async deliver(delivered: Delivered, received: ReceivedMessages): Promise<void> {
    const { dataCoding, alphabet: sent, utcOffset } = this.options;
    // Of an alphabet that is announced by a value of its own, it is not known what 0 would be.
    const alphabet = dataCoding === 0 ? sent : 'gsm';
    const now = new Date(currentTime());
    const receipt = receiptOf(delivered, { alphabet, utcOffset }, now);
    if (receipt === null) return;
    if (receipt) return this.reports.add(reportOf(receipt, this.options, this.errors, now));
    const content = contentOf(delivered, alphabet);
    const { concatenation } = content;
    const from = senderOf({ ton: delivered.sourceAddrTon, address: delivered.sourceAddr });
    const to = senderOf({ ton: delivered.destAddrTon, address: delivered.destinationAddr });
    if (concatenation) {
      return received.reassembly.add({ from, to, content: { ...content, concatenation } });
    }
    await received.add({ from, to, text: textOf(content) });
  }
}

/** Throws while the carrier is left alone after a failure. */
function throwUntil({ reason, retryAt }: Exclude<BindState, 'bound'>): void {
  const retryMs = retryAt - currentTime();
  if (retryMs > 0) throw new ChannelDown(reason, retryMs);
}

/** Resolves with the promise, or so long after the signal was aborted. */
async function until(
  promise: Promise<unknown>,
  signal: AbortSignal,
  lateMs: number,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    timer = setTimeout(ended.resolve, lateMs);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  try {
    await Promise.race([promise, ended.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
