import { assumedDelivered, expiryAfter } from '../assumed-delivery.ts';
import {
  ChannelDown,
  defineDriver,
  type Driver,
  type DriverContext,
  type OpenContext,
  type OutgoingMessage,
  type QueryContext,
  type QueryResult,
  type SubmitResult,
  type SubmittedMessage,
} from '../channel.ts';
import { doorOf } from './bounces.ts';
import { recordsOf } from './domain.ts';
import { MailWriter, type Mail } from './message.ts';
import { SmtpOptions } from './options.ts';
import { isHardBounce, refusalOf, retryAfter, type ServerReply } from './replies.ts';
import { type Outcome, Session } from './session.ts';

/** Mails of one call: they go one by one over one connection. */
const MAX_BATCH = 50;
/** A connection without mails is given up before a server does it. */
const IDLE_MS = 5_000;
/** A server that hangs up has too many connections, or is being restarted. */
const CLOSING_RETRY_MS = 30_000;
const ACCOUNT_RETRY_MS = 60_000;

/** Mail over the SMTP server of the operator or of a provider. */
export const smtpDriver = defineDriver({
  name: 'smtp',
  types: ['email'],
  options: SmtpOptions,
  describe: (options) => ({
    deduplicates: false,
    maxBatch: MAX_BATCH,
    concurrency: options.connections,
    isQueried: true,
    expiresAfter: () => expiryAfter(options.deliveredAfter),
    ...doorOf(options),
    records: recordsOf(options),
  }),
  open: (options, context) => new SmtpChannel(options, context),
});

class SmtpChannel implements Driver {
  private readonly writer: MailWriter;
  private readonly idle: { session: Session; timer: NodeJS.Timeout }[] = [];
  private isClosed = false;

  constructor(
    private readonly options: SmtpOptions,
    private readonly context: OpenContext,
  ) {
    this.writer = new MailWriter(options, context.files);
  }

  async send(
    batch: OutgoingMessage[],
    { now, signal, progress }: DriverContext,
  ): Promise<SubmitResult[]> {
    const results: SubmitResult[] = [];
    const line: Line = {};
    try {
      for (const [i, message] of batch.entries()) {
        const result = await this.sendOne(message, line, now, signal);
        if (result) results.push(result);
        else line.isUnknown = true;
        progress();
        if (result?.result !== 'unsent') continue;
        // Nothing more leaves for now: the server is away, it hangs up, or the time of the call is over.
        const hasLeft = line.isUnknown || results.length > 1;
        if (line.reason && !hasLeft) throw line.reason;
        results.push(...batch.slice(i + 1).map(unsent));
        break;
      }
      return results;
    } finally {
      this.keep(line.session);
    }
  }

  /** Of mail that arrives nobody tells: without a bounce for a while it counts as delivered. */
  query(messages: SubmittedMessage[], context: QueryContext): Promise<QueryResult> {
    return Promise.resolve(assumedDelivered(messages, context, this.options.deliveredAfter));
  }

  close(): Promise<void> {
    this.isClosed = true;
    for (const { session, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      session.close();
    }
    return Promise.resolve();
  }

  /** The result of one message; undefined if it is not known what became of it. */
  private async sendOne(
    message: OutgoingMessage,
    line: Line,
    now: Date,
    signal: AbortSignal,
  ): Promise<SubmitResult | undefined> {
    const { reference } = message;
    if (signal.aborted) return unsent(message);
    // The store of its file may be away: other messages need none.
    const mail = await this.writer.write(message, now).catch(() => undefined);
    if (!mail) return { reference, result: 'throttled', retryAfter: retryAfter(message.tries) };
    if (typeof mail === 'string') return { reference, result: 'rejected', code: mail };
    const outcome = await this.submit(mail, line, signal);
    switch (outcome.outcome) {
      case 'accepted':
        return { reference, result: 'accepted' };
      case 'unknown':
        return undefined;
      case 'unsent':
        return unsent(message);
      case 'too_large':
        return { reference, result: 'rejected', code: 'too_long' };
      case 'no_utf8':
        return {
          reference,
          result: 'rejected',
          code: 'invalid_recipient',
          text: 'The server does not support SMTPUTF8.',
        };
      case 'refused': {
        const { reply, isOfSender } = outcome;
        line.reason = downBy(reply, isOfSender);
        if (line.reason) return unsent(message);
        if (reply.code < 500)
          return { reference, result: 'throttled', retryAfter: retryAfter(message.tries) };
        return {
          reference,
          result: 'rejected',
          code: refusalOf(reply),
          carrierCode: reply.enhanced ?? reply.code,
          text: reply.text,
          ...(isHardBounce(reply) && { suppress: 'bounce' as const }),
        };
      }
    }
  }

  /** A connection that has rested may have been closed by the server in the meantime: then another is tried. */
  private async submit(mail: Mail, line: Line, signal: AbortSignal): Promise<Outcome> {
    for (;;) {
      if (!line.session?.isUsable) {
        line.session?.close();
        line.session = undefined;
        try {
          line.session = this.takeIdle() ?? (await this.open(signal));
        } catch (error) {
          line.reason = error as ChannelDown;
          return { outcome: 'unsent' };
        }
      }
      const { isFresh } = line.session;
      const outcome = await line.session.submit(mail, signal);
      if (outcome.outcome !== 'unsent' || signal.aborted) return outcome;
      if (isFresh) {
        line.reason = new ChannelDown('the server closed the connection', CLOSING_RETRY_MS);
        return outcome;
      }
    }
  }

  private open(signal: AbortSignal): Promise<Session> {
    return Session.open(this.options, this.context.outbound, signal);
  }

  private takeIdle(): Session | undefined {
    for (let kept = this.idle.pop(); kept; kept = this.idle.pop()) {
      clearTimeout(kept.timer);
      if (kept.session.isUsable) return kept.session;
      kept.session.close();
    }
    return undefined;
  }

  private keep(session: Session | undefined): void {
    if (!session) return;
    if (this.isClosed || !session.isUsable) return session.close();
    const kept = {
      session,
      timer: setTimeout(() => {
        this.idle.splice(this.idle.indexOf(kept), 1);
        session.close();
      }, IDLE_MS).unref(),
    };
    this.idle.push(kept);
  }
}

/** Why nothing more leaves: the server hangs up, refuses the account, or has had enough from it for now. */
function downBy({ code, text }: ServerReply, isOfSender: boolean): ChannelDown | undefined {
  if (code === 530 || code === 535 || code === 538)
    return new ChannelDown(`the server refuses the account: ${code} ${text}`, ACCOUNT_RETRY_MS);
  if (code === 421 || (code < 500 && isOfSender))
    return new ChannelDown(`the server takes nothing: ${code} ${text}`, CLOSING_RETRY_MS);
  return undefined;
}

/** The connection of one call, and why nothing more leaves over it. */
interface Line {
  session?: Session | undefined;
  reason?: ChannelDown | undefined;
  /** Of a mail that left over it nobody said whether it was taken. */
  isUnknown?: boolean;
}

const unsent = ({ reference }: OutgoingMessage) => ({ reference, result: 'unsent' as const });
