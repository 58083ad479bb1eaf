import { Injectable } from '@nestjs/common';
import {
  quietUntil,
  waitsInQuietHours,
  type SendingType,
  type TrafficGroup,
} from '@heliograph/domain';
import { QuietHoursService } from '../quiet-hours/quiet-hours.service.ts';
import { operators } from './pricing/operators.ts';

interface Message {
  address: string;
  group: TrafficGroup;
}

/** When a message of an account and a type is to be sent instead; null: at once. */
export type WaitOf = (message: Message, at: Date) => Date | null;

/** Which messages wait for the end of the quiet hours of their recipient. */
@Injectable()
export class QuietService {
  constructor(private readonly hours: QuietHoursService) {}

  /** Null when no message of the account waits. */
  async of(
    OwnerId: string,
    { type, isBulk }: { type: SendingType; isBulk: boolean },
  ): Promise<WaitOf | null> {
    const hours = await this.hours.activeOf(OwnerId);
    if (!hours) return null;
    const ends = new Map<number, ReturnType<typeof quietUntil>>();
    return ({ address, group }, at) => {
      if (!waitsInQuietHours(hours, { type, group, isBulk })) return null;
      const minute = Math.floor(at.getTime() / 60_000);
      let end = ends.get(minute);
      if (!end) ends.set(minute, (end = quietUntil(hours, at, operators())));
      return end(address);
    };
  }
}
