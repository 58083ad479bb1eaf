/** After the first paint. Safari has no idle callbacks. */
export const whenIdle = (run: () => void): void =>
  void ('requestIdleCallback' in window
    ? requestIdleCallback(run, { timeout: 2000 })
    : setTimeout(run, 300));
