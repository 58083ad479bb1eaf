import { LRUCache } from 'lru-cache';

const TTL_MS = 1000;
const MAX_KEYS = 10_000;
/** Later callers do not join a load that takes longer: one whose connection was lost may never end. */
const MAX_SHARED_LOAD_MS = 5000;

/**
 * Values that are read often and change rarely. Concurrent callers share one load; its value is kept for `ttlMs` from the
 * start of the load (a second unless told otherwise), so a change is seen that much later at most. A load that fails is not
 * kept.
 */
export class TtlCache<T> {
  private readonly cache: LRUCache<string, { value: T }>;

  /** `load` is given the previous value, if it is still there; `ttlMs` may depend on how long the load took. */
  constructor(
    load: (key: string, previous: T | undefined) => Promise<T>,
    ttlMs: (tookMs: number) => number = () => TTL_MS,
  ) {
    this.cache = new LRUCache<string, { value: T }>({
      max: MAX_KEYS,
      ttl: TTL_MS,
      // Asked for each time, so that a test may replace it.
      perf: { now: () => performance.now() },
      // A load that was invalidated or evicted still answers those who wait for it; its value is not kept.
      ignoreFetchAbort: true,
      fetchMethod: async (key, previous, { options }) => {
        const startedAt = performance.now();
        const timer = setTimeout(() => this.invalidate(key), MAX_SHARED_LOAD_MS).unref();
        try {
          const value = await load(key, previous?.value);
          const tookMs = performance.now() - startedAt;
          // To lru-cache 0 means for ever.
          options.ttl = Math.max(1, Math.ceil(ttlMs(tookMs) - tookMs));
          return { value };
        } finally {
          clearTimeout(timer);
        }
      },
    });
  }

  async get(key: string): Promise<T> {
    return (await this.cache.forceFetch(key)).value;
  }

  /** The next caller loads it again. */
  invalidate(key: string): void {
    this.cache.delete(key);
  }
}
