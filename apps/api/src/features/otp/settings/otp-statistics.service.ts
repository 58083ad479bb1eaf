import { Injectable } from '@nestjs/common';
import { EFFECTS, type OtpPrefix, type OtpStatistics, type otpWidgets } from '@heliograph/contract';
import {
  blockSeconds,
  PUMPING_CONVERSION,
  PUMPING_MIN_SESSIONS,
  type OtpChannelType,
} from '@heliograph/domain';
import { requireAll, type Actor } from '../../../core/auth/actor.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { notFound } from '../../../core/errors.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Notifications } from '../../../core/notifications.ts';
import { OtpStatisticsStore } from './otp-statistics.store.ts';

type Period = In<typeof otpWidgets.statistics>['query'];

const DEFAULT_DAYS = 31;
const DAY_SECONDS = 86_400;
const WINDOW_SECONDS = 3600;
/** A session may still be confirmed within this time. */
const CONFIRMING_SECONDS = 180;

/** Conversion, and the protection from traffic that nobody confirms. */
@Injectable()
export class OtpStatisticsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: OtpStatisticsStore,
    private readonly notifications: Notifications,
  ) {}

  async ofWidget(widgetId: string, period: Period): Promise<OtpStatistics> {
    const to = period.to ? new Date(period.to) : this.clock.now();
    const from = period.from
      ? new Date(period.from)
      : secondsAfter(to, -DEFAULT_DAYS * DAY_SECONDS);
    const total = await this.store.sessions(widgetId, from, to);
    const channels = await this.store.channels(widgetId, from, to);
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      ...total,
      conversion: share(total.confirmed, total.sessions),
      channels: channels.map(({ channelType, sent, confirmed }) => ({
        channelType: channelType as OtpChannelType,
        sent,
        confirmed,
        conversion: share(confirmed, sent),
      })),
    };
  }

  async prefixes(OwnerId: string): Promise<OtpPrefix[]> {
    const now = this.clock.now();
    const rows = await this.store.prefixes(OwnerId, secondsAfter(now, -WINDOW_SECONDS), now);
    return rows.map(({ prefix, sessions, confirmed, blockedUntil }) => ({
      prefix,
      sessions,
      confirmed,
      conversion: share(confirmed, sessions),
      blockedUntil: blockedUntil?.toISOString() ?? null,
    }));
  }

  /** Its codes are sent again. */
  async unblock(actor: Actor, text: string): Promise<string> {
    requireAll(actor, EFFECTS.widget.code);
    const { OwnerId } = actor;
    const prefix = text.startsWith('+') ? text : `+${text}`;
    if (!(await this.store.unblock(OwnerId, prefix, this.clock.now()))) throw notFound();
    return prefix;
  }

  /** Blocks the ranges of which hardly any session is confirmed, each time for longer, and tells the owner. */
  @Sweeps(30_000)
  async blockPumped(): Promise<void> {
    const now = this.clock.now();
    const window: [Date, Date] = [
      secondsAfter(now, -WINDOW_SECONDS),
      secondsAfter(now, -CONFIRMING_SECONDS),
    ];
    const limits = { sessions: PUMPING_MIN_SESSIONS, share: PUMPING_CONVERSION };
    for (const { OwnerId, prefix, sessions, confirmed } of await this.store.pumped(
      window,
      now,
      limits,
    ))
      await this.db.transaction(async () => {
        const times = await this.store.startBlock(OwnerId, prefix, now);
        if (times === null) return;
        const until = secondsAfter(now, blockSeconds(times));
        await this.store.setBlock(OwnerId, prefix, until);
        const data = { prefix, sessions, confirmed, date: until.toISOString() };
        await this.notifications.notify(OwnerId, 'OtpPrefixBlocked', data);
      });
  }
}

const share = (part: number, all: number): number | null =>
  all ? Math.round((Math.min(part, all) / all) * 10_000) / 10_000 : null;
