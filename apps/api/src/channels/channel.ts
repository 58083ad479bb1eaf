import type {
  CarrierReply,
  CarrierReport,
  SendingErrorCode,
  SendingType,
} from '@heliograph/domain';
import type { z } from 'zod';

import type { Outbound } from '../core/http/outbound.ts';

/** A channel as an administrator configured it; `options` are read by its driver alone. */
export interface ChannelSettings {
  name: string;
  driver: string;
  options: Record<string, unknown>;
  /** Another whenever driver or options change. */
  revision: number;
}

export interface OutgoingMessage {
  /** Our id of the sending: carriers report by it, and some drop repeats of it. */
  reference: string;
  type: SendingType;
  sender: string;
  recipient: string;
  payload: Record<string, unknown> & { text?: string };
  segments: number;
  /** How often it was handed over before: 0 the first time. */
  tries: number;
}

/** The answer for one message; a message without an answer is in doubt. `retryAfter` in ms. */
export type SubmitResult = { reference: string } & (
  | { result: 'accepted'; externalId?: string }
  | { result: 'rejected'; code: SendingErrorCode; text?: string }
  | { result: 'throttled'; retryAfter: number }
);

export interface SubmittedMessage {
  reference: string;
  type: SendingType;
  recipient: string;
  text?: string;
  submittedAt: Date;
}

export interface QueryResult {
  reports: CarrierReport[];
  replies: CarrierReply[];
  /** When the next report or reply is due, as far as the driver knows. */
  nextAt: Date | null;
}

export interface DriverContext {
  now: Date;
  /** Aborted when the lease of the batch runs out or the worker stops. */
  signal: AbortSignal;
}

/** What a driver does with the options of one channel. */
export interface Driver {
  /** Whether the carrier takes a reference once only, so that what is in doubt may be resent. */
  readonly deduplicates: boolean;
  /** How many messages `send` takes at most. */
  readonly maxBatch: number;

  /** Hands a batch over, once. Throws ChannelDown or UnknownOutcome for the batch as a whole. */
  send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]>;

  /** What became of messages since the last query (`since` excluded, `now` included). */
  query?(
    messages: SubmittedMessage[],
    context: DriverContext & { since: Date | null },
  ): Promise<QueryResult>;

  /** Whether a report that came in over HTTP is really the carrier's; never throws. */
  verify?(request: IncomingReport): Verification;

  /** Lets go of connections; calls under way are finished first. */
  close?(): Promise<void>;
}

/** `timestamp`: signed with the right secret, but at another time; `signature`: with another secret, or for another body. */
export type Verification = 'genuine' | 'unsigned' | 'timestamp' | 'signature';
/** One open channel. */
export interface OpenDriver extends Driver {
  /** Of the driver. */
  readonly name: string;
  /** Of the channel's settings that it was opened with. */
  readonly revision: number;
}

export interface IncomingReport {
  headers: Record<string, string | string[] | undefined>;
  /** As it came, byte for byte: a signature does not survive parsing. */
  body: Buffer | string;
}

/** A driver by its declaration: what can be configured, and how a channel of it is opened. */
export interface DriverDefinition<S extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** Every option once, with its check. Each is secret, and never shown, unless it says `publicOption`. */
  readonly options: S;
  /** May throw InvalidOptions for rules over several options at once. */
  open(channel: string, options: z.output<S>, outbound: Outbound): Driver;
}

/** Keeps the types of the options inside of a definition. */
export function defineDriver<S extends z.ZodObject>(
  definition: DriverDefinition<S>,
): DriverDefinition {
  return definition as unknown as DriverDefinition;
}

/** Nothing of the batch was taken: it is safe to send again, after `retryAfter` milliseconds. */
export class ChannelDown extends Error {
  override readonly name = 'ChannelDown';
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfter = retryAfter;
  }
}

/** No one knows whether the batch was taken. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** The options of a channel make no sense to its driver; one issue for each wrong field. */
export class InvalidOptions extends Error {
  override readonly name = 'InvalidOptions';
  readonly issues: { field: string; message: string }[];

  constructor(channel: string, issues: { field: string; message: string }[]) {
    const list = issues.map(({ field, message }) => `${field}: ${message}`).join(' ');
    super(`channel ${channel}: ${list}`);
    this.issues = issues;
  }
}
