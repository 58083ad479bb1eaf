const BELIEVED_MS = 1000;
const AT_MOST = 10_000;
/** Whoever asks waits for a look under way no longer than this: one whose connection was lost may never end. */
const PENDING_MS = 5000;

interface Held<T> {
  value: Promise<T>;
  /** What it came to, once it is known. */
  known?: T;
  until: number;
}

/**
 * What is looked up often and changes rarely: one look serves everybody who asks meanwhile and for a second from its
 * start, so a change takes effect a second later at most. A look that fails is not remembered.
 */
export class Believed<T> {
  private readonly held = new Map<string, Held<T>>();

  /** `look` is told what it found last; `forMs` says how long an answer is believed that took so long. */
  constructor(
    private readonly look: (key: string, last: T | undefined) => Promise<T>,
    private readonly forMs: (tookMs: number) => number = () => BELIEVED_MS,
  ) {}

  get(key: string): Promise<T> {
    const last = this.held.get(key);
    if (last && last.until > performance.now()) return last.value;
    if (this.held.size >= AT_MOST) this.held.clear();
    const started = performance.now();
    const held: Held<T> = { value: this.look(key, last?.known), until: started + PENDING_MS };
    this.held.set(key, held);
    held.value.then(
      (value) => {
        held.known = value;
        held.until = started + this.forMs(performance.now() - started);
      },
      () => {
        if (this.held.get(key) === held) this.held.delete(key);
      },
    );
    return held.value;
  }

  /** The next to ask has it looked up. */
  forget(key: string): void {
    this.held.delete(key);
  }
}
