import type { SendingIncoming } from '@heliograph/contract';

export interface NewIncoming {
  OwnerId: string;
  /** As stored. */
  type: number;
  from: string;
  to: string;
  payload: SendingIncoming['payload'];
  SendingId: string | null;
  /** What the carrier that brought it calls it; null of what is known to come once. */
  origin: Origin | null;
}

export interface Origin {
  channel: string;
  /** By which a repeat is known. */
  webhookId: string | null;
}
