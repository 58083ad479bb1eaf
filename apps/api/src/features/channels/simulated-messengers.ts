import type { Webhook } from '@heliograph/simulators';

/** The largest range that `randomInt` takes: ids of chats cannot be guessed. */
export const LARGEST_ID = 2 ** 48 - 1;
const TIMEOUT_MS = 15_000;

/** Posts an update of a simulated messenger to this installation, at `localUrl`. Returns the answer; what is refused is lost. */
export async function postUpdate(
  localUrl: string,
  secretHeader: string,
  { url, secret }: Webhook,
  update: object,
): Promise<string> {
  // The installation that the messenger is part of, whatever the host.
  const response = await fetch(`${localUrl}${new URL(url).pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [secretHeader]: secret },
    body: JSON.stringify(update),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = await response.text();
  return response.ok ? answer : '';
}
