import type { Verification } from '../core/http/standard-webhooks.ts';
import type {
  CarrierReply,
  CarrierReport as ReportByReference,
  SendingErrorCode,
  SendingType,
  SuppressionReason,
} from '@heliograph/domain';
import type { PushKind } from '@heliograph/contract';
import type { z } from 'zod';

import type { Outbound } from '../core/http/outbound.ts';

/** A channel as configured by an administrator. Only its driver reads `options`. */
export interface ChannelSettings {
  name: string;
  driver: string;
  options: Record<string, unknown>;
  /** Changes with driver or options. */
  revision: number;
}

export interface OutgoingMessage {
  /** Our id of the sending. Carriers report by it, and some drop a repeated one. */
  reference: string;
  type: SendingType;
  sender: string;
  recipient: string;
  /** `html`: of an e-mail with a text in Markdown, beside its plain text. */
  payload: Record<string, unknown> & { text?: string; html?: string };
  segments: number;
  /** Header fields of an e-mail. */
  headers?: Record<string, string>;
  /** Number of earlier submits. */
  tries: number;
  /** How long the carrier may try to deliver it: until when, and for how many seconds from now; as long as it likes if undefined. */
  validity?: { until: string; seconds: number };
}

/** Nothing more is to be sent to the recipient in messages of this type. */
export interface Suppressing {
  suppress?: Extract<SuppressionReason, 'bounce' | 'complaint'>;
}

/**
 * The result of one message; a message without a result has an unknown outcome. `accepted` has the carrier's ids, one for each part of
 * the message, in order. `retryAfter` is in milliseconds, `carrierCode` and `text` of a rejection are the carrier's own. A message that
 * is `unsent` has not left: it is submitted again soon, and no try is counted.
 */
export type SubmitResult = { reference: string } & (
  | { result: 'accepted'; externalIds?: string[] }
  | ({
      result: 'rejected';
      code: SendingErrorCode;
      carrierCode?: string | number;
      text?: string;
    } & Suppressing)
  | { result: 'throttled'; retryAfter: number }
  | { result: 'unsent' }
);

/** What a carrier says about a message: under our reference, or under its own id of the message or of a part. */
export type CarrierReport = Omit<ReportByReference, 'reference' | 'due'> &
  Suppressing &
  ({ reference: string; externalId?: never } | { externalId: string; reference?: never });

/** What a person has written. */
export interface CarrierMessage {
  /** The carrier's id of the message, if it has one: a repeat is recognized by it. */
  id?: string;
  /** Undefined for `sms`. */
  type?: SendingType;
  from: string;
  /** The sender name or number it is for; undefined if the carrier knows the channel alone: then it replies to the last message over it. */
  to?: string;
  text: string;
  at: Date;
}

export interface SubmittedMessage {
  reference: string;
  type: SendingType;
  recipient: string;
  text?: string;
  submittedAt: Date;
  /** The carrier has it; nobody knows whether it has; or a final report has come, also one that the carrier may still correct. */
  state: 'submitted' | 'unknown' | 'reported';
}

export interface QueryResult {
  reports: CarrierReport[];
  replies: CarrierReply[];
  /** When the next report or reply is due, as far as the driver knows. */
  nextAt: Date | null;
}

export interface DriverContext {
  now: Date;
  /** Aborted before the lease of the batch runs out. What has not left by then is `unsent`. */
  signal: AbortSignal;
  /** Notes what is said, if it is logged. The request is that of messages without their texts and numbers (`shownMessage`), and without secrets. */
  trace?(part: () => Traced): void;
  /** Results are coming in: renews the lease of the batch, and with it the time of `signal`. Cheap at any frequency. */
  progress(): void;
}

/** A request and its answer, or PDUs, for the log of exchanges. */
export interface Traced {
  request?: string;
  answer?: string;
}

/** Stands for a secret. */
export const SECRET_MARK = '***';

export interface QueryContext extends Omit<DriverContext, 'progress' | 'trace'> {
  /** Null for the first query of the messages. */
  since: Date | null;
}

/** What holds of a channel without a connection. */
export interface DriverFacts {
  /** Whether the carrier drops repeated references, so that a batch with an unknown outcome may be resent. */
  readonly deduplicates: boolean;
  /** Maximum number of messages of one `send`. */
  readonly maxBatch: number;
  /** How many calls of `send` one worker makes at a time. */
  readonly concurrency: number;
  /** Whether the carrier is asked for reports: the open channel has `query`. */
  readonly isQueried: boolean;
  /**
   * Sessions that the carrier allows, each of which one worker has open, as long as the channel is active. Without it any worker opens
   * the channel when it has something to send. Not for channels that are queried.
   */
  readonly sessions?: { readonly binds: number };
  /** Seconds after which a submitted message without a final report expires; those of the installation if undefined. */
  expiresAfter?(type: SendingType): number | undefined;
  /** Whether the carrier is told where to post: the open channel has `announce`. */
  readonly isAnnounced?: boolean;
  /** Verifies the signature of a report received over HTTP; never throws. Without it the carrier cannot post. */
  verify?(request: IncomingReport): Verification;
  /** The carrier calls in its own words (`/callbacks/:carrier`). */
  readonly callback?: CallbackDoor;
  /** What the DNS has to say of the senders. */
  readonly records?: readonly DnsRecord[];
}

/** A record of the DNS that a channel needs. */
export interface DnsRecord {
  kind: 'spf' | 'dkim' | 'dmarc' | 'bounces';
  type: 'TXT' | 'MX';
  /** Where it is looked for, in this order. */
  names: readonly string[];
  wanted: string;
  /** How a record of this kind begins, among others of the name. */
  prefix: string;
  isRight(found: string): boolean;
}

/** Facts of a channel with the revision of its settings. */
export interface ChannelFacts extends DriverFacts {
  /** Segments of one `send` at most, by the rate of the channel; any number if undefined. */
  readonly maxSegments?: number;
  readonly revision: number;
}

/** An open channel, or one session of a channel that has `sessions`. Only workers open one. */
export interface Driver {
  /**
   * Of a channel with `sessions`: resolves when submits are possible, throws ChannelDown when they are not for a while. Called when the
   * session is opened, after such a while, and again every few seconds to see whether it is still connected; a lost connection is
   * restored by the driver itself.
   */
  connect?(signal: AbortSignal): Promise<void>;

  /** Submits a batch, once. Throws ChannelDown or UnknownOutcome for the batch as a whole. */
  send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]>;

  /** Reports and replies since the last query (`since` excluded, `now` included). */
  query?(messages: SubmittedMessage[], context: QueryContext): Promise<QueryResult>;

  /** Tells the carrier where it posts; again and again, which changes nothing. Throws ChannelDown if it was not told. */
  announce?(signal: AbortSignal): Promise<void>;

  /**
   * Of a carrier that reads no answers to its calls (`isAnsweredLater`): says in a chat what its `ChatCall` has answered. Resolves with
   * why if it was refused, as by a person who takes nothing. Throws ChannelDown if nothing was said, UnknownOutcome if that is not
   * certain.
   */
  say?(chat: string, answer: string, signal: AbortSignal): Promise<RefusedAnswer | undefined>;

  /** Closes connections after running calls have finished. */
  close?(): Promise<void>;
}

/** One open channel. */
export interface OpenDriver extends Driver {
  readonly facts: ChannelFacts;
}

/** A call of a carrier in its own words. */
export interface IncomingCallback {
  headers: Record<string, string | string[] | undefined>;
  /** The query of the URL with its question mark, or nothing. */
  search: string;
  body: Buffer;
}

/** What a call says. `answer` is the body of the response that the carrier expects. */
export interface CarrierCallback {
  reports: CarrierReport[];
  messages: CarrierMessage[];
  /** Number of items that are neither, or whose status means nothing here. */
  ignored: number;
  answer: string;
  /** Of a carrier whose people open chats. What they write is not among the messages, as it is not known yet from whom it is. */
  chat?: ChatCall;
}

/** What a person has done in a chat with the channel. */
export interface ChatCall {
  /** The carrier's id of the chat. */
  chat: string;
  at: Date;
  /** That of the person, by the word of the carrier: the chat is that of the number from now on. */
  phone?: string;
  /** The person takes nothing more in this chat. */
  hasEnded?: boolean;
  /** What the person has written. Dropped if the chat has no number. */
  message?: Omit<CarrierMessage, 'from'>;
  /** In place of that of the call, or what a worker says in the chat; nothing if it is empty. `isKnown`: the chat has a number. */
  answer(isKnown: boolean): string;
}

/** Why something was not said in a chat. */
export interface RefusedAnswer {
  code: SendingErrorCode;
  carrierCode?: string | number;
}

export interface CallbackDoor {
  /** Whether the carrier made the call; never throws. */
  isGenuine(call: IncomingCallback): boolean;
  /**
   * `fields`: the parsed body, or the query of a call without a body; of a mail its bytes as `message`, one character for each. Throws AppError for a body
   * that the carrier has to see refused.
   */
  read(fields: unknown, now: Date): CarrierCallback | Promise<CarrierCallback>;
  /** The carrier reads no answers: a worker says what they are, by `say` of the open channel. */
  readonly isAnsweredLater?: boolean;
  /** The media type of the answers; plain text if undefined. */
  readonly answerType?: 'application/json';
}

export interface IncomingReport {
  headers: Record<string, string | string[] | undefined>;
  /** The received bytes: a signature cannot be verified after parsing. */
  body: Buffer | string;
}

/** Sends from accounts at the carrier that belong to the senders, such as WhatsApp instances. Throws as `Driver.send` does. */
export interface SenderAccounts {
  send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]>;
}

/** What the carrier pushes over an open connection. Resolves after the commit: what is acknowledged then is not lost. */
export interface Inbox {
  reports(reports: CarrierReport[]): Promise<void>;
  /** Messages to nobody, and repeats by `id`, are dropped. */
  messages(messages: CarrierMessage[]): Promise<void>;
}

export interface MessageFile {
  filename: string;
  type: string;
  bytes: Buffer;
}

/** Files that messages name. */
export interface MessageFiles {
  /** Without bytes if there is no such file any more, or it is larger. Throws if the store is away. */
  read(id: string, maxBytes: number): Promise<MessageFile | 'missing' | 'too_large'>;
  /** An address that gives the file to anybody for some minutes. */
  link(id: string): Promise<string>;
}

/** An app or a browser that gets the push messages to a phone number. */
export interface PushDevice {
  id: string;
  /** The registration token, or the endpoint of the subscription. */
  address: string;
  /** Of a subscription, in base64url. */
  keys?: { p256dh: string; auth: string };
}

/** The devices of the recipients of push messages. */
export interface PushDevices {
  /** Of each message, by its reference, those of the account that sends it; none if there is no entry. Rejects if the store is away. */
  of(references: readonly string[], kind: PushKind): Promise<Map<string, PushDevice[]>>;
  /** They do not exist any more: the app or the subscription was removed. */
  remove(ids: readonly string[]): Promise<void>;
}

/** The chats that people have opened with a channel. Both reject if the store is away. */
export interface Chats {
  /** By phone number; without an entry the person has opened none. */
  of(phones: readonly string[]): Promise<Map<string, string>>;
  /** The person takes nothing more in it. */
  end(chat: string): Promise<void>;
}

/** What an open channel needs of its worker. */
export interface OpenContext {
  /** Name of the channel. */
  readonly channel: string;
  readonly outbound: Outbound;
  readonly senders: SenderAccounts;
  readonly files: MessageFiles;
  readonly devices: PushDevices;
  readonly chats: Chats;
  readonly inbox: Inbox;
}

/** The declaration of a driver: its options, the facts that follow from them, and how a channel is opened. */
export interface DriverDefinition<S extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** The types that it carries; any if undefined. */
  readonly types?: readonly SendingType[];
  /** What the carrier takes of anybody, in segments a second: the rate of a new channel that is given none. */
  readonly rate?: number;
  /** The schema of the options. Each option is secret, and never returned, unless declared with `publicOption`. */
  readonly options: S;
  /** Pure, and never throws: rules over several options belong to the schema. */
  describe(options: z.output<S>): DriverFacts;
  open(options: z.output<S>, context: OpenContext): Driver;
  /** Options of known carriers to begin with. */
  readonly presets?: readonly DriverPreset[];
  /** What the options make of a message, an answer and a callback, without a connection. */
  rehearse?(options: z.output<S>, sample: RehearsalSample): Rehearsal;
}

export interface DriverPreset {
  name: string;
  /** For people. */
  title: string;
  types: SendingType[];
  options: Record<string, unknown>;
}

export interface RehearsalSample {
  message: OutgoingMessage;
  now: Date;
  /** Of the carrier to the submit. */
  answer?: { status: number; body: string };
  /** The query or the body of a callback. */
  callback?: string;
}

export interface Rehearsal {
  request: { method: string; url: string; headers: Record<string, string>; body?: string };
  /** Undefined without an answer. */
  result?: SubmitResult | { result: 'down' | 'unknown'; text: string };
  callback?: CarrierCallback;
}

/** Keeps the types of the options inside of a definition. */
export function defineDriver<S extends z.ZodObject>(
  definition: DriverDefinition<S>,
): DriverDefinition {
  return definition as unknown as DriverDefinition;
}

/** The carrier accepted nothing of the batch: it is safe to resend after `retryAfter` milliseconds. */
export class ChannelDown extends Error {
  override readonly name = 'ChannelDown';
  readonly retryAfter: number;
  /** Whether the carrier named this time: it is left alone so long, with all messages. */
  readonly isAsked: boolean;

  constructor(
    message: string,
    retryAfter: number,
    options: ErrorOptions & { isAsked?: boolean } = {},
  ) {
    super(message, options);
    this.retryAfter = retryAfter;
    this.isAsked = options.isAsked ?? false;
  }
}

/** It is not known whether the carrier accepted the batch. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** The options of a channel are not those of its driver; one issue for each invalid field. */
export class InvalidOptions extends Error {
  override readonly name = 'InvalidOptions';
  readonly issues: { field: string; message: string }[];

  constructor(channel: string, issues: { field: string; message: string }[]) {
    const list = issues.map(({ field, message }) => `${field}: ${message}`).join(' ');
    super(`channel ${channel}: ${list}`);
    this.issues = issues;
  }
}
