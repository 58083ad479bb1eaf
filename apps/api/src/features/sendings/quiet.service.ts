import { Injectable } from '@nestjs/common';
import {
  isSuppressible,
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
    const countries = this.hours.ofCountries();
    // Bulks wait for their country; singles do if the account has them wait.
    const ofCountries = isBulk && isSuppressible(type) && countries.size > 0;
    if (!hours && !ofCountries) return null;
    const ends = new Map<string, ReturnType<typeof quietUntil>>();
    return ({ address, group }, at) => {
      const own = hours && waitsInQuietHours(hours, { type, group, isBulk }) ? hours : null;
      if (!own && !ofCountries) return null;
      const key = `${own !== null} ${Math.floor(at.getTime() / 60_000)}`;
      let end = ends.get(key);
      if (!end) ends.set(key, (end = quietUntil(own, at, operators(), countries)));
      return end(address);
    };
  }
}
