/**
 * A key for one act. `crypto.randomUUID` is there only on secure origins; a cabinet in a local network may be served
 * without TLS.
 */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

/** The same body keeps its key, so that a second click or a retry after a lost answer does not act twice. */
export function keyKeeper(make: () => string = newKey) {
  let last: { body: string; key: string } | null = null;
  return {
    keyFor(body: unknown): string {
      const text = JSON.stringify(body);
      if (last?.body !== text) last = { body: text, key: make() };
      return last.key;
    },
    /** The act is done: the same words said again are another act. */
    forget(): void {
      last = null;
    },
  };
}
