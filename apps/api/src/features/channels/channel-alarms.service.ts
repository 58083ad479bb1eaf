import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  ALARM_AFTER,
  channelAlarms,
  isInUse,
  UNUSED,
  type ChannelAlarm,
  type MessageLimit,
} from '@heliograph/domain';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { Notifications } from '../../core/notifications.ts';
import { ChannelAlarmsStore, type AlarmRow } from './channel-alarms.store.ts';
import { ChannelsStore } from './channels.store.ts';
import { LimitTable } from './limit-table.ts';
import { ChannelTrafficStore } from './channel-traffic.store.ts';

const CHECK_MS = 15_000;
const HOUR_MS = 3_600_000;
const KEPT_SECONDS = 90 * 86_400;

/** Tells administrators when something is wrong with a channel, and when it is over: once for each episode. */
@Injectable()
export class ChannelAlarms implements OnModuleInit {
  constructor(
    private readonly store: ChannelAlarmsStore,
    private readonly traffic: ChannelTrafficStore,
    private readonly channels: ChannelsStore,
    private readonly notifications: Notifications,
    private readonly metrics: Metrics,
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'channel_alarms',
      'Alarms of channels that have not ended',
      ['channel', 'kind'],
      async () =>
        (await this.store.counts()).map(({ channel, kind, count }) => ({
          labels: { channel, kind },
          value: count,
        })),
    );
    this.metrics.gauge(
      'channel_limited_messages',
      'Due messages that wait for used limits of their senders and destinations',
      ['channel'],
      async () => {
        const now = this.clock.now();
        const values: { labels: { channel: string }; value: number }[] = [];
        for (const { channel, limits } of await this.store.limited())
          values.push({ labels: { channel }, value: await this.limitedOf(channel, limits, now) });
        return values;
      },
    );
  }

  @Sweeps(CHECK_MS)
  async check(): Promise<boolean> {
    const now = this.clock.now();
    const watched = await this.store.watched(now);
    const networks = await this.traffic.networks(
      watched.map(({ channel }) => channel),
      now,
    );
    const limited = new Map<string, number>();
    for (const { channel, limits, waiting } of watched)
      if (limits.length && waiting)
        limited.set(channel, await this.limitedOf(channel, limits, now));
    await this.db.transaction(async () => {
      const open = await this.store.open();
      for (const { channel, ...known } of watched) {
        const own = open.filter((row) => row.channel === channel);
        const figures = {
          ...known,
          networks: networks.get(channel) ?? [],
          limited: limited.get(channel) ?? 0,
        };
        await this.compare(channel, own, channelAlarms(figures, own), now);
      }
      // A channel that was switched off has nothing wrong.
      const names = new Set(watched.map(({ channel }) => channel));
      for (const row of open) if (!names.has(row.channel)) await this.end(row, now);
    });
    return false;
  }

  @Sweeps(HOUR_MS)
  deleteOld(): Promise<boolean> {
    return this.store.deleteOld(secondsAfter(this.clock.now(), -KEPT_SECONDS));
  }

  /** Due messages of a channel that count against a limit which is in use, or whose day has nothing left. */
  private async limitedOf(channel: string, limits: MessageLimit[], now: Date): Promise<number> {
    const table = new LimitTable(channel, limits);
    const { uses, waiting } = await this.channels.limitStates(channel, table.version, now);
    const inUse = limits.map((limit, i) =>
      isInUse({ ...limit, warmUp: null }, uses.get(table.keys[i]!) ?? UNUSED, now),
    );
    return waiting
      .filter(({ mark }) => table.limitsOf(mark)?.some((i) => inUse[i]))
      .reduce((sum, { size }) => sum + size, 0);
  }

  private async compare(
    channel: string,
    open: AlarmRow[],
    found: ChannelAlarm[],
    now: Date,
  ): Promise<void> {
    const isSame = (a: Pick<ChannelAlarm, 'kind' | 'mccmnc'>, b: typeof a) =>
      a.kind === b.kind && a.mccmnc === b.mccmnc;
    for (const alarm of found) {
      const known = open.find((row) => isSame(row, alarm));
      if (!known) await this.store.begin(channel, alarm, now);
      else if (!known.raisedAt && now >= secondsAfter(known.since, ALARM_AFTER[known.kind])) {
        await this.store.raise(known.id, alarm.data, now);
        await this.tell('ChannelAlarm', known, alarm.data);
      }
    }
    for (const row of open)
      if (!found.some((alarm) => isSame(row, alarm))) await this.end(row, now);
  }

  private async end(row: AlarmRow, now: Date): Promise<void> {
    await this.store.end(row, now);
    if (!row.raisedAt) return;
    const minutes = Math.max(1, Math.round((now.getTime() - row.since.getTime()) / 60_000));
    await this.tell('ChannelAlarmEnded', row, { [`${row.kind}Minutes`]: minutes });
  }

  private async tell(
    type: 'ChannelAlarm' | 'ChannelAlarmEnded',
    { channel, mccmnc, kind }: AlarmRow,
    values: Record<string, string | number>,
  ): Promise<void> {
    const network = kind === 'delivery' ? { network: mccmnc ?? '?' } : {};
    const data = { id: channel, channel, ...network, ...values };
    await this.notifications.notifyAdministrators(type, 'channels.get', [data]);
  }
}
