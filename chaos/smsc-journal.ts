import {
  carriedOf,
  carrierProfile,
  planReports,
  type SmscEvent,
  type SmscOptions,
  type Submitted,
} from '@heliograph/simulators';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The account and the behaviour of the SMSC of a run. Its failures, its silence and its delays decide what falls back to e-mail, and when. */
export const smscOf = (seed: string): SmscOptions & { systemId: string; password: string } => ({
  systemId: 'chaos',
  password: 'secret',
  seed,
  // A kill always leaves submits of the window unanswered.
  answerMs: 40,
  profile: {
    failed: 0.12,
    temporary: 0.02,
    silent: 0.04,
    rejected: 0.02,
    throttled: 0.002,
    duplicates: 0.05,
    replies: 0,
    sentDelay: [0, 100],
    deliveredDelay: [0, 700],
  },
});

/** What the SMSC did in a round, by the journal that it writes before it answers. */
export class SmscJournal {
  readonly submitted: Submitted[] = [];
  /** Binds whose sessions have not ended. */
  readonly bound = new Set<number>();
  /** Binds whose sessions ended otherwise than by an unbind. */
  readonly cut = new Set<number>();
  private readonly owed = new Map<number, string>();
  private readonly file: string;
  private readonly options: SmscOptions;
  private offset = 0;
  private rest = '';

  constructor(file: string, options: SmscOptions) {
    this.file = file;
    this.options = options;
  }

  /** Forgets what was submitted before. */
  begin(): void {
    this.read();
    this.submitted.length = 0;
  }

  /** Receipts that are due and not acknowledged, as far as it was read. */
  get receiptsDue(): number {
    return this.owed.size;
  }

  /** What the SMSC will say of a part, or has said; undefined if nothing. */
  outcomeOf(part: Submitted): 'delivered' | 'failed' | undefined {
    const { profile, seed = '1' } = this.options;
    const at = new Date(part.at);
    const { reports } = planReports(carriedOf(part), carrierProfile(profile), seed, at);
    const final = reports.find(({ status }) => status === 'delivered' || status === 'failed');
    return final?.status as 'delivered' | 'failed' | undefined;
  }

  /** Reads what was written since. */
  read(): void {
    const file = openSync(this.file, 'r');
    const bytes = Buffer.alloc(fstatSync(file).size - this.offset);
    readSync(file, bytes, 0, bytes.length, this.offset);
    closeSync(file);
    this.offset += bytes.length;
    const lines = (this.rest + bytes.toString('latin1')).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines)
      this.take(JSON.parse(Buffer.from(line, 'latin1').toString()) as SmscEvent);
  }

  private take(one: SmscEvent): void {
    switch (one.event) {
      case 'submitted': {
        const { message } = one;
        this.submitted.push(message);
        const isTaken = message.status === 0 || message.status === null;
        if (isTaken && this.outcomeOf(message)) this.owed.set(message.id, message.recipient);
        return;
      }
      case 'receipted':
        this.owed.delete(one.id);
        return;
      case 'bound':
        this.bound.add(one.bind);
        return;
      case 'unbound':
      case 'closed':
        this.bound.delete(one.bind);
        if (one.event === 'closed') this.cut.add(one.bind);
    }
  }
}
