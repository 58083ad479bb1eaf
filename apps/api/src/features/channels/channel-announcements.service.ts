import { Injectable } from '@nestjs/common';
import { ChannelDown } from '../../channels/channel.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { ChannelConnections } from './channel-connections.service.ts';
import { ChannelStatesService } from './channel-states.service.ts';
import { ChannelsService } from './channels.service.ts';

const SWEEP_MS = 2_000;
/** The address at the carrier may be changed by others. */
const REPEAT_MS = 3_600_000;
const RETRY_MS = 30_000;
const TIMEOUT_MS = 30_000;

/** An announcement of this process. */
interface Announcement {
  revision: number;
  /** By the monotonic clock, in milliseconds. */
  nextAt: number;
}

/**
 * Tells carriers where they post, where a driver can: for each revision of the settings of an active channel, and again every hour.
 * Repeats change nothing, so that each worker remembers only what it has told itself.
 */
@Injectable()
export class ChannelAnnouncements {
  private readonly made = new Map<string, Announcement>();

  constructor(
    private readonly channels: ChannelsService,
    private readonly connections: ChannelConnections,
    private readonly states: ChannelStatesService,
    private readonly shutdown: Shutdown,
    private readonly log: Log,
  ) {}

  @Sweeps(SWEEP_MS)
  async announce(): Promise<void> {
    const active = (await this.channels.list()).filter(({ isActive }) => isActive);
    const names = new Set(active.map(({ name }) => name));
    for (const name of this.made.keys()) if (!names.has(name)) this.made.delete(name);
    for (const { name, revision } of active) {
      const last = this.made.get(name);
      if (last?.revision === revision && performance.now() < last.nextAt) continue;
      if (!(await this.channels.factsOf(name))?.isAnnounced) continue;
      if (this.shutdown.isStopping) return;
      const isTold = await this.tell(name);
      const nextAt = performance.now() + (isTold ? REPEAT_MS : RETRY_MS);
      this.made.set(name, { revision, nextAt });
    }
  }

  private async tell(name: string): Promise<boolean> {
    const signal = AbortSignal.any([this.shutdown.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const open = await this.connections.of(name);
      await open?.announce?.(signal);
      await this.states.told(name);
      return true;
    } catch (error) {
      this.states.failed(name, error);
      // Unexpected errors of a driver may contain secrets.
      const reason = error instanceof ChannelDown ? error.message : (error as Error).name;
      this.log.warn({ channel: name, reason }, 'A carrier was not told where to post.');
      return false;
    }
  }
}
