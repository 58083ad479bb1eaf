import type { CarrierReport, SendingType } from '@heliograph/domain';
import {
  type CarrierProfile,
  type ProfileOptions,
  planReports,
  carrierProfile,
  respondToSubmit,
} from '@heliograph/simulators';

import type { Config } from './config.ts';
import { Journal, toLogged } from './journal.ts';
import type { SubmitOutcome, SubmitResult, SubmittedMessage } from './messages.ts';
import { Outbox } from './outbox.ts';
import { START, readPosition, writePosition } from './position.ts';
import { Register } from './register.ts';
import { post } from './signature.ts';

interface Incoming {
  /** Reference of the message to which this is a reply. */
  reference: string;
  from: string;
  to: string;
  type: SendingType;
  payload: { text: string };
}

/**
 * The simulated carrier. It logs all submissions and computes the pending reports from the log alone, so that they are the same
 * after a restart. Repeated submissions are recorded but not delivered again.
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

  /** Opens the log and plans its messages again. Posts nothing before `start`. */
  constructor(config: Config) {
    this.config = config;
    this.journal = new Journal(config.logFile);
    this.reports = this.openReports();
    this.replies = this.openReplies();
    for (const entry of this.journal.entries()) {
      if ('options' in entry) this.applyProfile(entry.options, entry.seed);
      else
        for (const [reference, type, recipient, sender, result] of entry.messages) {
          const message = { reference, type: type as SendingType, recipient, sender, tries: 0 };
          this.record(message, result, new Date(entry.at));
        }
    }
    // The environment takes precedence from here on. Overrides of the same profile are kept.
    const { profile = this.options.profile, seed = this.seed } = config;
    const same = profile === this.options.profile;
    if (!same || seed !== this.seed) this.setProfile(same ? this.options : { profile }, seed);
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

  /** Accepts a batch, which is logged before the response. Messages with the result `lost` have no result in the response. */
  submit(messages: SubmittedMessage[], now: number): SubmitResult[] {
    const at = this.submitTime(now);
    const response: SubmitResult[] = [];
    const results: SubmitOutcome[] = [];
    const inBatch = new Set<string>();
    for (const message of messages) {
      const { reference } = message;
      if (this.register.hasAccepted(reference) || inBatch.has(reference)) {
        results.push('repeat');
        response.push({ reference, result: 'accepted' });
        continue;
      }
      const answer = respondToSubmit(message, this.profile, this.seed);
      results.push(answer.result);
      if (answer.result === 'accepted' || answer.result === 'lost') inBatch.add(reference);
      if (answer.result !== 'lost') response.push({ reference, ...answer });
    }
    this.journal.append({
      at: at.toISOString(),
      messages: messages.map((message, i) => toLogged(message, results[i]!)),
    });
    messages.forEach((message, i) => this.record(message, results[i]!, at));
    return response;
  }

  /** Changes the profile for later submissions. Throws a RangeError for invalid options. */
  setProfile(options: ProfileOptions, seed: string): void {
    this.applyProfile(options, seed);
    this.journal.append({ at: new Date().toISOString(), options: { ...options }, seed });
  }

  /** Deletes all submissions and keeps the profile. */
  reset(): void {
    this.reports.stop();
    this.replies.stop();
    this.journal.clear();
    writePosition(this.positionFile('reports'), START);
    writePosition(this.positionFile('replies'), START);
    this.register.clear();
    this.reports = this.openReports();
    this.replies = this.openReplies();
    this.setProfile(this.options, this.seed);
    this.start();
  }

  private applyProfile(options: ProfileOptions, seed: string): void {
    this.profile = carrierProfile(options);
    this.options = options;
    this.seed = seed;
  }

  private record(message: SubmittedMessage, result: SubmitOutcome, at: Date): void {
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

  /** The time of a submission: not before the last logged one, and not in a closed bucket. */
  private submitTime(now: number): Date {
    const closed = Math.max(this.reports.closedUntil, this.replies.closedUntil);
    return new Date(Math.max(now, this.lastAt, closed));
  }

  private openReports(): Outbox<CarrierReport> {
    const { callbackUrl, secret } = this.config;
    return this.openOutbox('reports', 1_000, async (items: CarrierReport[], id) => {
      const statuses = items.map(toWire);
      if (callbackUrl) await post(callbackUrl, { statuses }, id, secret);
    });
  }

  private openReplies(): Outbox<Incoming> {
    const { incomingUrl, secret } = this.config;
    return this.openOutbox('replies', 1, async ([incoming]: Incoming[]) => {
      const { reference, ...message } = incoming!;
      // The id depends on the reply only: the same reply may be posted again after a restart.
      if (incomingUrl) await post(incomingUrl, message, `reply_${reference}`, secret);
    });
  }

  private openOutbox<T>(
    name: string,
    batch: number,
    send: (items: T[], id: string) => Promise<void>,
  ) {
    const file = this.positionFile(name);
    return new Outbox<T>({
      batch,
      parallel: 4,
      post: send,
      position: readPosition(file),
      save: (position) => writePosition(file, position),
    });
  }

  private positionFile(name: string): string {
    return `${this.config.logFile}.${name}`;
  }
}

/** A report as posted, without the internal field `due`. */
function toWire({ reference, status, code, note, lookup, seconds, at }: CarrierReport) {
  return { reference, status, code, note, lookup, seconds, at };
}
