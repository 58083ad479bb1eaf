const LEAVING_MS = 15_000;

/**
 * Leads to a page elsewhere. Pending until this one is left, so that what a press did is not done by a second one meanwhile; ends when the
 * browser comes back to this page, or stays on it.
 */
export function leaveTo(url: string): Promise<void> {
  location.assign(url);
  return new Promise((resolve) => {
    const end = () => {
      removeEventListener('pageshow', end);
      clearTimeout(timer);
      resolve();
    };
    addEventListener('pageshow', end);
    const timer = setTimeout(end, LEAVING_MS);
  });
}
