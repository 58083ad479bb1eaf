import { Injectable } from '@nestjs/common';
import {
  carrierPhone,
  composeText,
  normalizeEmail,
  REPLY_WINDOW_SECONDS,
  typeCode,
  typeOf,
  type CarrierReply,
  type SendingType,
} from '@heliograph/domain';
import {
  canAll,
  CarrierIncoming,
  EFFECTS,
  MAX_EXTERNAL_ID,
  MAX_INCOMING_TEXT,
  type Permission,
} from '@heliograph/contract';
import { requireAll, SYSTEM_OWNER, type Actor } from '../../../core/auth/actor.ts';
import type { CarrierMessage } from '../../../channels/channel.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { findInvalidText } from '../../../core/http/invalid-text.ts';
import { Log } from '../../../core/log.ts';
import {
  IncomingService,
  type NewIncoming,
  type Origin,
} from '../../sendings-incoming/sendings-incoming.service.ts';
import { SuppressionsService } from '../../suppressions/suppressions.service.ts';
import { addressField } from '../plan.ts';
import { RepliesStore } from './replies.store.ts';
import { ReportsService, type Reply } from './reports.service.ts';

type Message = Pick<NewIncoming, 'from' | 'to' | 'payload'> & { type: SendingType };

/** Stores incoming messages. A reply to a sending may trigger its fallback. */
@Injectable()
export class RepliesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: RepliesStore,
    private readonly incoming: IncomingService,
    private readonly reports: ReportsService,
    private readonly suppressions: SuppressionsService,
    private readonly log: Log,
  ) {}

  /** Replies that a driver reports with the references of their sendings. In the transaction of the caller. */
  async receiveReplies(replies: CarrierReply[]): Promise<void> {
    if (!replies.length) return;
    const sendings = await this.store.sendings(replies.map(({ reference }) => reference));
    // Nobody has written those to messages of test tokens: they start fallbacks, and nothing else.
    const tests: Reply[] = [];
    const messages = replies.flatMap(({ reference, text, at }) => {
      const sending = sendings.get(reference);
      if (!sending || sending.OwnerId === SYSTEM_OWNER) return [];
      if (sending.isTest) {
        tests.push({ id: sending.id, text, at });
        return [];
      }
      const { OwnerId, type, phone: from, sender: to, id: SendingId } = sending;
      return { OwnerId, type, from, to, payload: { text }, SendingId, origin: null, at };
    });
    await this.recordAll(messages);
    await this.reports.triggerByReplies(tests);
  }

  /** A message that a caller adds to its own account. It causes nothing that the caller may not do itself. */
  async add(caller: Actor, message: Message): Promise<string> {
    const { permissions, OwnerId, tokenId } = caller;
    const may = (effects: Record<string, readonly Permission[]>, prefix = '') =>
      Object.entries(effects).flatMap(([effect, needs]) =>
        canAll(permissions, needs) ? `${prefix}${effect}` : [],
      );
    const allowed = [...may(EFFECTS.inboundRule), ...may(EFFECTS.automation, 'automation.')];
    const addedBy = { tokenId, allowed };
    const now = this.clock.now();
    const [received] = await this.received([message], OwnerId, now);
    return this.record({ ...received!, OwnerId, origin: null, addedBy }, now, caller);
  }

  /**
   * A message to a sender name that a carrier delivers. Unless the carrier says whose it is, it belongs to the account whose sending
   * from that sender to that phone is the last one; it is dropped (null) when there is none.
   */
  async receive(
    message: Message,
    { channel, webhookId, ...source }: Origin & { OwnerId?: string },
  ): Promise<string | null> {
    const now = this.clock.now();
    const [received] = await this.received([message], source.OwnerId ?? null, now);
    const OwnerId = source.OwnerId ?? received!.OwnerId;
    if (!OwnerId) {
      this.reportUnowned(channel, 1);
      return null;
    }
    return this.record({ ...received!, OwnerId, origin: { channel, webhookId } }, now);
  }

  /** Messages that a driver hands on while its channel is open; resolves after the commit. Those to nobody are dropped. */
  async push(channel: string, messages: CarrierMessage[]): Promise<void> {
    const now = this.clock.now();
    const addressed = await this.addressed(channel, messages, now);
    const given = addressed.flatMap((message) => readable(message) ?? []);
    const dropped = addressed.length - given.length;
    if (dropped)
      this.log.warn({ channel, dropped }, 'Messages that cannot be stored were dropped.');
    if (!given.length) return;
    await this.db.transaction(async () => {
      const received = await this.received(
        given.map(({ message }) => message),
        null,
        now,
      );
      const owned = received.flatMap(({ OwnerId, ...message }, i) => {
        const { webhookId, at } = given[i]!;
        const origin = { channel, webhookId };
        return OwnerId ? { ...message, OwnerId, origin, at: withinWindow(at, now) } : [];
      });
      if (owned.length) await this.recordAll(owned);
      const unowned = given.length - owned.length;
      if (unowned) this.reportUnowned(channel, unowned);
    });
  }

  /** The messages with their senders: what is for the channel alone replies to the last message over it. Those that reply to nothing are dropped. */
  private async addressed(
    channel: string,
    messages: CarrierMessage[],
    now: Date,
  ): Promise<(CarrierMessage & { to: string })[]> {
    const open = messages.filter(({ to }) => to === undefined);
    if (!open.length) return messages as (CarrierMessage & { to: string })[];
    const phones = open.map(({ from }) => carrierPhone(from) ?? from);
    const found = await this.store.lastOver(channel, phones, now);
    const sendings = new Map(open.map((message, i) => [message, found[i]]));
    const addressed = messages.flatMap((message) => {
      if (message.to !== undefined) return [{ ...message, to: message.to }];
      const sending = sendings.get(message);
      return sending ? [{ ...message, to: sending.sender, type: typeOf(sending.type) }] : [];
    });
    const unowned = messages.length - addressed.length;
    if (unowned) this.reportUnowned(channel, unowned);
    return addressed;
  }

  /** Nobody has written to these people from these names or numbers lately. */
  private reportUnowned(channel: string, dropped: number): void {
    this.log.info({ channel, dropped }, 'Messages that reply to nobody were dropped.');
  }

  /** The messages as they are stored, with the sendings that they reply to. */
  private async received(messages: Message[], OwnerId: string | null, now: Date) {
    const stored = messages.map((message) => {
      const from = addressIn(message) ?? message.from;
      return { type: typeCode(message.type), from, to: message.to, payload: message.payload };
    });
    const sendings = await this.store.lastSendings(
      stored.map(({ type, from, to }) => ({ type, sender: to, phone: from })),
      OwnerId,
      now,
    );
    return stored.map((message, i) => ({
      ...message,
      // A number as the account writes it, which answers from it.
      to: (/^\+?\d+$/.test(message.to) && sendings[i]?.sender) || message.to,
      SendingId: sendings[i]?.id ?? null,
      OwnerId: sendings[i]?.OwnerId ?? null,
    }));
  }

  private record(message: NewIncoming, at: Date, caller: Actor | null = null): Promise<string> {
    return this.db.transaction(async () => {
      const [id] = await this.recordAll([{ ...message, at }], caller);
      return id ?? this.incoming.idByOrigin(message.origin!);
    });
  }

  /** Stores messages and does what they ask for. The ids of those that are new, null for others. */
  private async recordAll(
    messages: (NewIncoming & { at: Date })[],
    caller: Actor | null = null,
  ): Promise<(string | null)[]> {
    const may = (needs: readonly Permission[]) => !caller || canAll(caller.permissions, needs);
    const requests = await this.suppressions.requestsIn(
      messages.map(({ OwnerId, payload }) => ({ OwnerId, text: payload.text })),
    );
    for (const asked of requests) if (caller && asked) requireAll(caller, EFFECTS.incoming[asked]);
    const ids = await this.incoming.record(
      messages.map((message, i) => ({ ...message, isQueued: requests[i] === null })),
    );
    const replies: Reply[] = [];
    for (const [i, { at, ...message }] of messages.entries()) {
      const { text } = message.payload;
      if (ids[i] === null || !text) continue;
      const asked = requests[i];
      if (asked)
        await this.suppressions.heard({ ...message, text }, asked, at, {
          tokenId: caller?.tokenId ?? null,
          mayConfirm: may(EFFECTS.incoming.confirmation),
        });
      if (message.SendingId) replies.push({ id: message.SendingId, text, at });
    }
    if (may(EFFECTS.incoming.fallback)) await this.reports.triggerByReplies(replies);
    return ids;
  }
}

/** Carriers write phone numbers in the international form, mostly without a plus. */
const addressIn = ({ type, from }: { type: SendingType; from: string }): string | null =>
  addressField(type) === 'email' ? normalizeEmail(from) : carrierPhone(from);

/** A pushed message as a posted one is checked; null if it could not be posted. */
function readable({ id, type = 'sms', from, to, text, at }: CarrierMessage & { to: string }) {
  const kept = composeText(text.replaceAll('\0', '')).slice(0, MAX_INCOMING_TEXT);
  const payload = { text: kept.toWellFormed() };
  const { data } = CarrierIncoming.safeParse({ type, from, to, payload });
  const webhookId = id ?? null;
  if (!data || findInvalidText([data, webhookId]) !== null) return null;
  if (webhookId && webhookId.length > MAX_EXTERNAL_ID) return null;
  return { message: { type, from: data.from, to: data.to, payload }, webhookId, at };
}

/** The time of a carrier with a wrong clock is that of the arrival. */
const withinWindow = (at: Date, now: Date): Date =>
  at <= now && at >= secondsAfter(now, -REPLY_WINDOW_SECONDS) ? at : now;
