/**
 * 128 random bits. `crypto.randomUUID` exists on secure origins only; a cabinet in a local network may be served without
 * TLS.
 */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

/** The same body keeps its key, so that a second click or a retry after a lost response has no second effect. */
export function createIdempotencyKeys(make: () => string = randomKey) {
  let last: { body: string; key: string } | null = null;
  return {
    keyFor(body: unknown): string {
      const text = JSON.stringify(body);
      if (last?.body !== text) last = { body: text, key: make() };
      return last.key;
    },
    /** After success: the same body is a new operation from now on. */
    forget(): void {
      last = null;
    },
  };
}
