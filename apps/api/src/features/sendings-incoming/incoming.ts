import type { SendingIncoming } from '@heliograph/contract';

export interface NewIncoming {
  OwnerId: string;
  /** The stored integer of the type. */
  type: number;
  from: string;
  to: string;
  payload: SendingIncoming['payload'];
  SendingId: string | null;
  /** By which a repeated delivery is recognized; null for a message that is delivered once. */
  origin: Origin | null;
}

export interface Origin {
  channel: string;
  webhookId: string | null;
}
