interface Kept<T> {
  value: Promise<T>;
  until: number;
}

const MAX_KEPT = 5000;

/**
 * Remembers what was expensive to count, for twenty times as long as the counting took: however often it is asked for, it
 * takes a twentieth of one connection at most. Who asks meanwhile waits for the same answer.
 */
export class Believed<T> {
  private readonly kept = new Map<string, Kept<T>>();

  constructor(private readonly leastMs: number) {}

  get(key: string, count: () => Promise<T>): Promise<T> {
    const known = this.kept.get(key);
    if (known && known.until > performance.now()) return known.value;
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    const started = performance.now();
    const entry: Kept<T> = { value: count(), until: Infinity };
    this.kept.set(key, entry);
    entry.value.then(
      () => (entry.until = performance.now() + this.leastFor(performance.now() - started)),
      () => this.kept.delete(key),
    );
    return entry.value;
  }

  private leastFor(tookMs: number): number {
    return Math.max(this.leastMs, 20 * tookMs);
  }
}
