import { Injectable } from '@nestjs/common';
import {
  carrierPhone,
  normalizeEmail,
  typeCode,
  type CarrierReply,
  type SendingType,
} from '@heliograph/domain';
import { SYSTEM_OWNER } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import {
  IncomingService,
  type NewIncoming,
  type Origin,
} from '../../sendings-incoming/sendings-incoming.service.ts';
import { SuppressionsService } from '../../suppressions/suppressions.service.ts';
import { addressField } from '../plan.ts';
import { RepliesStore } from './replies.store.ts';
import { ReportsService } from './reports.service.ts';

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
  ) {}

  /** A reply that a driver reports with the reference of its sending. */
  async receiveReply({ reference, text, at }: CarrierReply): Promise<void> {
    const sending = await this.store.sending(reference);
    if (!sending || sending.OwnerId === SYSTEM_OWNER) return;
    await this.record(
      {
        OwnerId: sending.OwnerId,
        type: sending.type,
        from: sending.phone,
        to: sending.sender,
        payload: { text },
        SendingId: sending.id,
        origin: null,
      },
      at,
    );
  }

  /**
   * A message to a sender name. One that a carrier delivers belongs to the account whose sending from that sender to that phone is
   * the last one; it is dropped (null) when there is none.
   */
  async receive(
    message: { type: SendingType; from: string; to: string; payload: NewIncoming['payload'] },
    source: { OwnerId: string } | Origin | ({ OwnerId: string } & Origin),
  ): Promise<string | null> {
    const now = this.clock.now();
    const type = typeCode(message.type);
    const from = addressIn(message) ?? message.from;
    const OwnerId = 'OwnerId' in source ? source.OwnerId : null;
    const origin =
      'channel' in source ? { channel: source.channel, webhookId: source.webhookId } : null;
    const sending = await this.store.lastSending(
      { type, sender: message.to, phone: from },
      OwnerId,
      now,
    );
    const owner = OwnerId ?? sending?.OwnerId;
    if (!owner) return null;
    const { to, payload } = message;
    return this.record(
      { OwnerId: owner, type, from, to, payload, SendingId: sending?.id ?? null, origin },
      now,
    );
  }

  private record(message: NewIncoming, at: Date): Promise<string> {
    return this.db.transaction(async () => {
      const { text } = message.payload;
      const asked = await this.suppressions.requestIn(message.OwnerId, text);
      const { id, isNew } = await this.incoming.record(message, at, { isQueued: asked === null });
      if (isNew && asked) await this.suppressions.heard({ ...message, text: text! }, asked, at);
      if (isNew && message.SendingId && text)
        await this.reports.trigger([message.SendingId], { kind: 'incoming', text, at });
      return id;
    });
  }
}

/** Carriers write phone numbers in the international form, mostly without a plus. */
const addressIn = ({ type, from }: { type: SendingType; from: string }): string | null =>
  addressField(type) === 'email' ? normalizeEmail(from) : carrierPhone(from);
