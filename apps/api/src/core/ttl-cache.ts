import { LRUCache } from 'lru-cache';

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

  /** `load` receives the previous value if it is still cached; `ttlMs` may depend on the duration of the load. */
  constructor(
    load: (key: string, previous: T | undefined) => Promise<T>,
    ttlMs: (tookMs: number) => number = () => TTL_MS,
  ) {
    this.cache = new LRUCache<string, { value: T }>({
      max: MAX_KEYS,
      ttl: TTL_MS,
      // Looked up on every call, so that tests can replace it.
      perf: { now: () => performance.now() },
      // A load that was invalidated or evicted still resolves for its callers; its value is not kept.
      ignoreFetchAbort: true,
      fetchMethod: async (key, previous, { options }) => {
        const startedAt = performance.now();
        const timer = setTimeout(() => this.invalidate(key), MAX_SHARED_LOAD_MS).unref();
        try {
          const value = await load(key, previous?.value);
          const tookMs = performance.now() - startedAt;
          // 0 would mean no expiry to lru-cache.
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
