import type { OutgoingMessage } from '../channel.ts';
import { linkIn } from '../push.ts';

/** What the service worker of the website gets: JSON. */
export function contentOf({ reference, sender, payload }: OutgoingMessage): Buffer {
  const body = payload.text ?? '';
  const link = linkIn(body);
  return Buffer.from(JSON.stringify({ id: reference, title: sender, body, ...(link && { link }) }));
}
