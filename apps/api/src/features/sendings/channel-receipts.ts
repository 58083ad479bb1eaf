import { Injectable } from '@nestjs/common';
import { findOperator, STATUS_CODES } from '@heliograph/domain';
import { ChannelTraffic } from '../channels/channel-traffic.service.ts';
import { operators } from './pricing/operators.ts';

/** A sending that a report has changed. */
interface Reported {
  batchId: string;
  phone: string;
  status: number;
  previousStatus: number | null;
  error: string | null;
}

const { delivered, seen, failed } = STATUS_CODES;
const IS_DELIVERED = new Set<number | null>([delivered, seen]);
/** Failures without a word of the carrier. */
const OWN = new Set<string | null>([
  'expired',
  'stopped',
  'superseded',
  'unsubscribed',
  'frequency_cap_reached',
  'channel_down',
  'insufficient_funds',
  'spend_cap_reached',
  'no_price',
  'no_value',
]);

/** Counts what carriers say about the end of messages, by channel and network. */
@Injectable()
export class ChannelReceipts {
  constructor(private readonly traffic: ChannelTraffic) {}

  reported(changed: readonly Reported[]): void {
    for (const { batchId, phone, status, previousStatus, error } of changed) {
      const isDelivered = IS_DELIVERED.has(status);
      const isFinal = isDelivered
        ? !IS_DELIVERED.has(previousStatus)
        : status === failed && !OWN.has(error);
      if (!isFinal) continue;
      const operator = phone.startsWith('+') ? findOperator(operators(), phone) : null;
      this.traffic.received(batchId, operator?.mccmnc ?? null, isDelivered);
    }
  }
}
