import {
  type CarrierProfile,
  type CarrierReport,
  type ProfileOptions,
  type SendingType,
  planReports,
  carrierProfile,
  respondToSubmit,
} from '@heliograph/domain';

import type { Config } from './config.ts';
import { Journal, toLogged } from './journal.ts';
import type { Answer, SubmitOutcome, IncomingMessage } from './messages.ts';
import { Outbox } from './outbox.ts';
import { START, readPosition, writePosition } from './position.ts';
import { Register } from './register.ts';
import { post } from './signature.ts';

interface Incoming {
  /** Of the message that it answers. */
  reference: string;
  from: string;
  to: string;
  type: SendingType;
  payload: { text: string };
}

/**
 * The carrier: it remembers what was handed over in its log and works out from that alone, after
 * a restart as before, what it still has to report. Repeats are recorded and not delivered twice.
 */
export class Carrier {
  readonly register = new Register();
  reports: Outbox<CarrierReport>;
  replies: Outbox<Incoming>;
  options: ProfileOptions = {};
  profile: CarrierProfile = carrierProfile();
  seed = '1';

  private readonly config: Config;
  private readonly journal: Journal;
  private lastAt = 0;

  /** Opens the log and plans again what it holds; nothing is posted before `start`. */
  constructor(config: Config) {
    this.config = config;
    this.journal = new Journal(config.logFile);
    this.reports = this.openReports();
    this.replies = this.openReplies();
    for (const entry of this.journal.entries()) {
      if ('options' in entry) this.behave(entry.options, entry.seed);
      else
        for (const [reference, type, recipient, sender, result] of entry.messages) {
          const message = { reference, type: type as SendingType, recipient, sender, tries: 0 };
          this.record(message, result, new Date(entry.at));
        }
    }
    // What the environment says holds from here on; overrides of the same profile stay.
    const { profile = this.options.profile, seed = this.seed } = config;
    const same = profile === this.options.profile;
    if (!same || seed !== this.seed) this.change(same ? this.options : { profile }, seed);
  }

  start(): void {
    this.reports.start();
    this.replies.start();
  }

  stop(): void {
    this.reports.stop();
    this.replies.stop();
    this.journal.close();
  }

  /** Takes a batch, logged before it is answered; a message that is `lost` gets no answer. */
  take(messages: IncomingMessage[], now: number): Answer[] {
    const at = this.timeOf(now);
    const answers: Answer[] = [];
    const results: SubmitOutcome[] = [];
    const inBatch = new Set<string>();
    for (const message of messages) {
      const { reference } = message;
      if (this.register.took(reference) || inBatch.has(reference)) {
        results.push('repeat');
        answers.push({ reference, result: 'accepted' });
        continue;
      }
      const answer = respondToSubmit(message, this.profile, this.seed);
      results.push(answer.result);
      if (answer.result === 'accepted' || answer.result === 'lost') inBatch.add(reference);
      if (answer.result !== 'lost') answers.push({ reference, ...answer });
    }
    this.journal.append({
      at: at.toISOString(),
      messages: messages.map((message, i) => toLogged(message, results[i]!)),
    });
    messages.forEach((message, i) => this.record(message, results[i]!, at));
    return answers;
  }

  /** Changes the behaviour for what is handed over from now on; throws a RangeError. */
  change(options: ProfileOptions, seed: string): void {
    this.behave(options, seed);
    this.journal.append({ at: new Date().toISOString(), options: { ...options }, seed });
  }

  /** Forgets everything that was handed over, and keeps the behaviour. */
  reset(): void {
    this.reports.stop();
    this.replies.stop();
    this.journal.clear();
    writePosition(this.positionOf('reports'), START);
    writePosition(this.positionOf('replies'), START);
    this.register.clear();
    this.reports = this.openReports();
    this.replies = this.openReplies();
    this.change(this.options, this.seed);
    this.start();
  }

  private behave(options: ProfileOptions, seed: string): void {
    this.profile = carrierProfile(options);
    this.options = options;
    this.seed = seed;
  }

  private record(message: IncomingMessage, result: SubmitOutcome, at: Date): void {
    this.lastAt = at.getTime();
    this.register.add(message.reference, result, at.getTime());
    if (result !== 'accepted' && result !== 'lost') return;
    const { reports, reply } = planReports(message, this.profile, this.seed, at);
    for (const report of reports) this.reports.add(report, report.due.getTime());
    if (!reply) return;
    const { reference, recipient: from, sender: to, type } = message;
    this.replies.add(
      { reference, from, to, type, payload: { text: reply.text } },
      reply.at.getTime(),
    );
  }

  /** The moment of a handover: never before one already logged, nor in a bucket already packed. */
  private timeOf(now: number): Date {
    const closed = Math.max(this.reports.closedUntil, this.replies.closedUntil);
    return new Date(Math.max(now, this.lastAt, closed));
  }

  private openReports(): Outbox<CarrierReport> {
    const { callbackUrl, secret } = this.config;
    return this.openOutbox('reports', 1_000, async (items: CarrierReport[], id) => {
      const statuses = items.map(reportOf);
      if (callbackUrl) await post(callbackUrl, { statuses }, id, secret);
    });
  }

  private openReplies(): Outbox<Incoming> {
    const { incomingUrl, secret } = this.config;
    return this.openOutbox('replies', 1, async ([incoming]: Incoming[]) => {
      const { reference, ...message } = incoming!;
      // Not of the try nor of the process: after a restart a reply may be posted again.
      if (incomingUrl) await post(incomingUrl, message, `reply_${reference}`, secret);
    });
  }

  private openOutbox<T>(
    name: string,
    batch: number,
    send: (items: T[], id: string) => Promise<void>,
  ) {
    const file = this.positionOf(name);
    return new Outbox<T>({
      batch,
      parallel: 4,
      post: send,
      position: readPosition(file),
      save: (position) => writePosition(file, position),
    });
  }

  private positionOf(name: string): string {
    return `${this.config.logFile}.${name}`;
  }
}

/** A report as it goes over the wire: `due` is ours, what is undefined is left out. */
function reportOf({ reference, status, code, note, at }: CarrierReport) {
  return { reference, status, code, note, at };
}
