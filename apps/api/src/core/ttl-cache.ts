import { LRUCache } from 'lru-cache';
import { holdsConnection } from './db/db.ts';

const TTL_MS = 1000;
const MAX_KEYS = 10_000;
/** Later callers do not join a load that takes longer: one whose connection was lost may never end. */
const MAX_SHARED_LOAD_MS = 5000;

/**
 * Values that are read often and change rarely. Concurrent callers share one load; its value is kept for `ttlMs` from the
 * start of the load (one second by default), so a change is seen after that time at the latest. A load that fails is not
 * kept.
 */
export class TtlCache<T> {
  private readonly cache: LRUCache<string, { value: T }>;
  private invalidations = 0;

  /** `load` receives the previous value if it is still cached; `ttlMs` may depend on the duration of the load. */
  constructor(
    private readonly load: (key: string, previous: T | undefined) => Promise<T>,
    private readonly ttlMs: (tookMs: number) => number = () => TTL_MS,
  ) {
    this.cache = new LRUCache<string, { value: T }>({
      max: MAX_KEYS,
      ttl: TTL_MS,
      // Looked up on every call, so that tests can replace it.
      perf: { now: () => performance.now() },
      // A load that was invalidated or evicted still resolves for its callers; its value is not kept.
      ignoreFetchAbort: true,
      fetchMethod: async (key, previous, { options }) => {
        const timer = setTimeout(() => this.invalidate(key), MAX_SHARED_LOAD_MS).unref();
        try {
          const { value, ttl } = await this.loaded(key, previous);
          options.ttl = ttl;
          return { value };
        } finally {
          clearTimeout(timer);
        }
      },
    });
  }

  /**
   * A caller that holds a connection to the database shares values, but no loads of others: such a load may wait for a connection
   * while callers that wait for it hold them all.
   */
  async get(key: string): Promise<T> {
    if (!holdsConnection()) return (await this.cache.forceFetch(key)).value;
    const kept = this.cache.get(key);
    if (kept) return kept.value;
    const before = this.invalidations;
    const { value, ttl } = await this.loaded(key, this.cache.peek(key, { allowStale: true }));
    if (this.invalidations === before) this.cache.set(key, { value }, { ttl });
    return value;
  }

  /** The next caller loads it again. */
  invalidate(key: string): void {
    this.invalidations++;
    this.cache.delete(key);
  }

  private async loaded(
    key: string,
    previous: { value: T } | undefined,
  ): Promise<{ value: T; ttl: number }> {
    const startedAt = performance.now();
    const value = await this.load(key, previous?.value);
    const tookMs = performance.now() - startedAt;
    // 0 would mean no expiry to lru-cache.
    return { value, ttl: Math.max(1, Math.ceil(this.ttlMs(tookMs) - tookMs)) };
  }
}
