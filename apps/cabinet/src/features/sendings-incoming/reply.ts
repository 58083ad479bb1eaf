import type { SendingIncoming } from '@heliograph/contract';

/** The URL of the send form to reply to a message: the same channel, with sender and recipient swapped. */
export function replyTo({ type, from, to }: Pick<SendingIncoming, 'type' | 'from' | 'to'>): string {
  return `/send?${new URLSearchParams({ type, recipient: from, sender: to })}`;
}

/** A link that was sent along is opened as it is; anything else names a file of our own storage. */
export function isLink(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
