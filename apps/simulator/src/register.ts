import type { SubmitOutcome } from './messages.ts';

interface Known {
  reference: string;
  /** When it was first handed over. */
  at: number;
  count: number;
  /** How many of them came after it had been taken. */
  repeats: number;
  taken: boolean;
}

/** Who was handed over how often: what a test asks to know whether anybody got a message twice. */
export class Register {
  private readonly known = new Map<string, Known>();
  private readonly inOrder: Known[] = [];
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

  /** Whether a message was accepted before, so that it would be a repeat now. */
  took(reference: string): boolean {
    return this.known.get(reference)?.taken ?? false;
  }

  /** `total` handovers of `distinct` references; the rest says how the handovers went. */
  summary() {
    const { accepted, lost, rejected, throttled, repeat: repeats } = this.counts;
    const total = accepted + lost + rejected + throttled + repeats;
    return { total, distinct: this.known.size, repeats, accepted, lost, rejected, throttled };
  }

  /** References in the order of their first handover. */
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
