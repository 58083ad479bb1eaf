import { Injectable } from '@nestjs/common';
import { typeCode, type CarrierReply, type SendingType } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import {
  IncomingService,
  type NewIncoming,
} from '../sendings-incoming/sendings-incoming.service.ts';
import { addressOf } from './plan.ts';
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
    if (!sending) return;
    await this.record(
      {
        OwnerId: sending.OwnerId,
        type: sending.type,
        from: sending.phone,
        to: sending.sender,
        payload: { text },
        SendingId: sending.id,
      },
      at,
    );
  }

  /** From a driver: the sending is found by type, sender and phone; nobody's when there is none. */
  async receive(
    message: { type: SendingType; from: string; to: string; payload: NewIncoming['payload'] },
    OwnerId: string | null,
  ): Promise<string | null> {
    const now = this.clock.now();
    const type = typeCode(message.type);
    const from = addressOf(message.type, message.from) ?? message.from;
    const [sending] = await this.db.query<Answered>(
      `select s.id, s.owner_id as "OwnerId", s.sender, s.phone from sendings_now s
        where s.phone = $1 and s.type = $2 and lower(s.sender) = lower($3) and s.handed_at between $4::timestamptz - interval '24 hours' and $4
          and ($5::uuid is null or s.owner_id = $5)
        order by s.id desc limit 1`,
      [from, type, message.to, now, OwnerId],
    );
    const owner = OwnerId ?? sending?.OwnerId;
    if (!owner) return null;
    const { to, payload } = message;
    return this.record(
      { OwnerId: owner, type, from, to, payload, SendingId: sending?.id ?? null },
      now,
    );
  }

  private record(message: NewIncoming, at: Date): Promise<string> {
    return this.db.transaction(async () => {
      const id = await this.incoming.record(message, at);
      const text = message.payload.text;
      if (message.SendingId && text)
        await this.reports.signalAll([message.SendingId], { kind: 'incoming', text, at });
      return id;
    });
  }
}
