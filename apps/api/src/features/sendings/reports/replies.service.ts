import { Injectable } from '@nestjs/common';
import {
  carrierPhone,
  normalizeEmail,
  REPLY_WINDOW_SECONDS,
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
import { addressField } from '../plan.ts';
import { ReportsService } from './reports.service.ts';

interface Answered {
  id: string;
  OwnerId: string;
  sender: string;
  phone: string;
}

/** Messages from people. One that answers a sending of ours may start its fallback. */
@Injectable()
export class RepliesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly incoming: IncomingService,
    private readonly reports: ReportsService,
  ) {}

  /** A reply that names the sending it answers. */
  async answer({ reference, text, at }: CarrierReply): Promise<void> {
    const [sending] = await this.db.query<Answered & { type: number }>(
      `select id, owner_id as "OwnerId", sender, phone, type from sendings where id = $1`,
      [reference],
    );
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

  /** Of an account, or, where a carrier brings it, of whoever sent last from that sender to that phone; nobody's when there is none. */
  async receive(
    message: { type: SendingType; from: string; to: string; payload: NewIncoming['payload'] },
    whose: { OwnerId: string } | Origin,
  ): Promise<string | null> {
    const now = this.clock.now();
    const type = typeCode(message.type);
    const from = addressIn(message) ?? message.from;
    const [OwnerId, origin] = 'OwnerId' in whose ? [whose.OwnerId, null] : [null, whose];
    // Phones are found account by account, each within a fence: no index begins with the phone alone.
    const [sending] = await this.db.query<Answered>(
      `select s.id, s.owner_id as "OwnerId", s.sender, s.phone
         from (select u.id from users u where u.owner_id = u.id and ($5::uuid is null or u.id = $5)) o
        cross join lateral (
          select s.* from sendings s where s.owner_id = o.id and s.phone = $1 offset 0) s
         join batches b on b.id = s.batch_id
        where s.type = $2 and lower(s.sender) = lower($3)
          and coalesce(s.sent_at, b.submitted_at) between $4::timestamptz - ${REPLY_WINDOW_SECONDS} * interval '1 second' and $4
        order by s.id desc limit 1`,
      [from, type, message.to, now, OwnerId],
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
      const { id, isNew } = await this.incoming.record(message, at);
      const text = message.payload.text;
      if (isNew && message.SendingId && text)
        await this.reports.signalAll([message.SendingId], { kind: 'incoming', text, at });
      return id;
    });
  }
}

/** Carriers write phones in the international form, mostly without a plus. */
const addressIn = ({ type, from }: { type: SendingType; from: string }): string | null =>
  addressField(type) === 'email' ? normalizeEmail(from) : carrierPhone(from);
