import type { SubmitOutcome } from './messages.ts';

interface RegisterEntry {
  reference: string;
  /** Time of the first submission, in Unix milliseconds. */
  at: number;
  count: number;
  /** Number of submissions after it was accepted. */
  repeats: number;
  taken: boolean;
}

/** Counts the submissions of each reference, so that tests can detect messages that were sent twice. */
export class Register {
  private readonly known = new Map<string, RegisterEntry>();
  private readonly inOrder: RegisterEntry[] = [];
  private counts = noCounts();

  add(reference: string, result: SubmitOutcome, at: number): void {
    let entry = this.known.get(reference);
    if (!entry) {
      entry = { reference, at, count: 0, repeats: 0, taken: false };
      this.known.set(reference, entry);
      this.inOrder.push(entry);
    }
    entry.count++;
    if (result === 'repeat') entry.repeats++;
    if (result === 'accepted' || result === 'lost') entry.taken = true;
    this.counts[result]++;
  }

  /** Whether a reference was accepted before, so that another submission is a repeat. */
  hasAccepted(reference: string): boolean {
    return this.known.get(reference)?.taken ?? false;
  }

  /** `total` submissions of `distinct` references, and the number of submissions by result. */
  summary() {
    const { accepted, lost, rejected, throttled, repeat: repeats } = this.counts;
    const total = accepted + lost + rejected + throttled + repeats;
    return { total, distinct: this.known.size, repeats, accepted, lost, rejected, throttled };
  }

  /** References in the order of their first submission. */
  page(offset: number, limit: number) {
    return this.inOrder.slice(offset, offset + limit).map(({ at, ...entry }) => {
      return { ...entry, at: new Date(at).toISOString() };
    });
  }

  clear(): void {
    this.known.clear();
    this.inOrder.length = 0;
    this.counts = noCounts();
  }
}

function noCounts(): Record<SubmitOutcome, number> {
  return { accepted: 0, lost: 0, rejected: 0, throttled: 0, repeat: 0 };
}
