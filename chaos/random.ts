/** A seeded random generator (mulberry32 over a hash of the seed). */
export class Random {
  private state = 0x811c9dc5;

  constructor(seed: string) {
    for (const c of seed) this.state = Math.imul(this.state ^ c.charCodeAt(0), 0x01000193);
  }

  /** From 0 up to 1. */
  roll(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  between(from: number, to: number): number {
    return from + this.roll() * (to - from);
  }

  one<T>(of: readonly T[]): T {
    return of[Math.floor(this.roll() * of.length)]!;
  }

  /** One of several kinds, each as often as its weight says. */
  weighed<K extends string>(weights: Record<K, number>): K {
    const all = Object.entries(weights) as [K, number][];
    let left = this.roll() * all.reduce((sum, [, n]) => sum + n, 0);
    return (all.find(([, n]) => (left -= n) < 0) ?? all[0]!)[0];
  }
}
