const BELIEVED_MS = 1000;
const AT_MOST = 5000;

/**
 * What is looked up at every message and changes rarely: one look serves everybody who asks within a second, so a change
 * takes effect a second later at most. A look that fails is not remembered.
 */
export class Believed<T> {
  private readonly known = new Map<string, { value: Promise<T>; until: number }>();
  private readonly look: (key: string) => Promise<T>;

  constructor(look: (key: string) => Promise<T>) {
    this.look = look;
  }

  get(key: string): Promise<T> {
    const held = this.known.get(key);
    if (held && held.until > performance.now()) return held.value;
    if (this.known.size >= AT_MOST) this.known.clear();
    const value = this.look(key);
    this.known.set(key, { value, until: performance.now() + BELIEVED_MS });
    value.catch(() => this.known.delete(key));
    return value;
  }
}
