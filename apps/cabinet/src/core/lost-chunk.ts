import { NoAnswer } from '@heliograph/contract';
import { tabStorage } from './browser-storage.ts';

const KEY = 'heliograph.reloadedAt';
const PAUSE_MS = 2000;

/**
 * Code that comes when it is needed, as `import()` gives it. While the server is away it is waited for, or, by the
 * impatient, refused with `NoAnswer`. When the server is there and the code is not, it is another release's: one reload brings it.
 */
export async function fetched<T>(load: () => Promise<T>, waits = true): Promise<T> {
  for (let isSecond = false; ;) {
    try {
      return await load();
    } catch (error) {
      if (await answers()) {
        if (isSecond) return reloaded(error);
        isSecond = true;
      } else if (waits) await untilItAnswers();
      else throw new NoAnswer(error);
      styleAgain();
    }
  }
}

const answers = () =>
  fetch('/version.json', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

async function untilItAnswers(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  while (!(await answers()));
}

/** A second reload would be a loop: then it is an error like any other. */
function reloaded(error: unknown): Promise<never> {
  const isRecent = Date.now() - Number(tabStorage.get(KEY) ?? 0) < 60_000;
  // A tab that cannot remember it would reload for ever.
  if (isRecent || !tabStorage.set(KEY, String(Date.now()))) throw error;
  location.reload();
  return new Promise(() => {});
}

/** Browsers do not retry a stylesheet that failed to load. */
function styleAgain(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (!link.sheet) link.replaceWith(link.cloneNode());
}
