import { Injectable } from '@nestjs/common';
import type { ChannelExchange, ChannelLive, channels } from '@heliograph/contract';
import { allowance, receiptQuantile, UNUSED, usedOn, type MessageLimit } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import type { In } from '../../core/http/endpoint.ts';
import { ChannelAlarmsStore } from './channel-alarms.store.ts';
import { ChannelExchangesStore } from './channel-exchanges.store.ts';
import { ChannelTrafficStore } from './channel-traffic.store.ts';
import { ChannelsService } from './channels.service.ts';
import { ChannelsStore } from './channels.store.ts';
import { LimitTable } from './limit-table.ts';

const MINUTE_MS = 60_000;
const SHOWN_ALARMS = 10;

/** What administrators see of a channel while it works. */
@Injectable()
export class ChannelWatch {
  constructor(
    private readonly channels: ChannelsService,
    private readonly store: ChannelsStore,
    private readonly traffic: ChannelTrafficStore,
    private readonly alarms: ChannelAlarmsStore,
    private readonly log: ChannelExchangesStore,
    private readonly clock: Clock,
  ) {}

  async live(name: string): Promise<ChannelLive> {
    const { rate, limits } = await this.channels.get(name);
    const now = this.clock.now();
    const hour = new Date(now.getTime() - 60 * MINUTE_MS);
    const queue = await this.store.queueOf(name, now);
    const minutes = await this.traffic.minutes(name, hour);
    const times = await this.traffic.times(name, hour);
    const networks = (await this.traffic.networks([name], now)).get(name) ?? [];
    const alarms = await this.alarms.ofChannel(name, SHOWN_ALARMS);
    const lastWhole = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
    const last = minutes.find(({ at }) => at.getTime() === lastWhole);
    return {
      waiting: queue.waiting,
      inFlight: queue.inFlight,
      rateNow: (last?.accepted ?? 0) / 60,
      rateAllowed: rate,
      failures: queue.failures,
      pausedUntil: queue.pausedUntil?.toISOString() ?? null,
      limits: await this.limits(name, limits, now),
      minutes: minutes.map(({ at, channel: _, ...results }) => ({
        ...results,
        at: at.toISOString(),
      })),
      receipts: {
        count: times.reduce((sum, n) => sum + n, 0),
        p50: receiptQuantile(times, 0.5),
        p95: receiptQuantile(times, 0.95),
      },
      networks,
      alarms: alarms.map(({ kind, mccmnc, since, endedAt }) => ({
        kind,
        mccmnc,
        since: since.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      })),
    };
  }

  private async limits(
    name: string,
    limits: MessageLimit[],
    now: Date,
  ): Promise<ChannelLive['limits']> {
    if (!limits.length) return [];
    const table = new LimitTable(name, limits);
    const { uses, waiting } = await this.store.limitStates(name, table.version, now);
    return limits.map((limit, i) => {
      const use = uses.get(table.keys[i]!) ?? UNUSED;
      const own = waiting.filter(({ mark }) => table.limitsOf(mark)?.includes(i));
      return {
        ...limit,
        allowedNow: allowance({ ...limit, warmUp: null }, use, now),
        usedToday: usedOn(use, now),
        waiting: own.reduce((sum, { size }) => sum + size, 0),
      };
    });
  }

  async exchanges(
    name: string,
    query: In<typeof channels.exchanges>['query'],
  ): Promise<{ data: ChannelExchange[] }> {
    await this.channels.get(name);
    const rows = await this.log.find(name, query);
    return { data: rows.map(({ channel: _, at, ...row }) => ({ ...row, at: at.toISOString() })) };
  }
}
