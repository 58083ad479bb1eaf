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
  /** Absent for a message that a carrier delivers. */
  addedBy?: AddedBy;
}

/** The caller that adds a message. */
export interface AddedBy {
  tokenId: string | null;
  /** What rules may do with the message by the permissions of the caller; null for everything. */
  allowed: string[] | null;
}

export interface Origin {
  channel: string;
  webhookId: string | null;
}
