import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { channels, Channel } from '@heliograph/contract';
import type { SendingType } from '@heliograph/domain';
import { InvalidOptions, type ChannelSettings, type Driver } from '../../channels/channel.ts';
import { openDriver, OpenChannels } from '../../channels/registry.ts';
import { Believed } from '../../core/believed.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { ChannelsStore } from './channels.store.ts';

const ALL = 'all';

/** Which channel takes a type, and its open driver. */
@Injectable()
export class ChannelsService implements OnApplicationShutdown {
  private readonly open = new OpenChannels();
  private readonly believed = new Believed(() => this.store.all());

  constructor(
    private readonly db: Db,
    private readonly store: ChannelsStore,
  ) {}

  all(): Promise<Channel[]> {
    return this.believed.get(ALL);
  }

  /** The active channel of highest priority that takes a type. */
  async taker(type: SendingType): Promise<Channel | undefined> {
    return (await this.all()).find((c) => c.isActive && c.types.includes(type));
  }

  /** The same; `unavailable` when there is none. */
  async channelFor(type: SendingType): Promise<Channel> {
    const channel = await this.taker(type);
    if (!channel) throw new AppError('unavailable', `No channel takes ${type} right now`);
    return channel;
  }

  async get(name: string): Promise<Channel> {
    const channel = (await this.all()).find((c) => c.name === name);
    if (!channel) throw notFound();
    return channel;
  }

  async driver(name: string): Promise<Driver> {
    return this.open.open(settingsOf(await this.get(name)));
  }

  /** The driver as a channel was configured when a batch was handed over. */
  async driverThen(name: string, options: Record<string, unknown> | null): Promise<Driver> {
    const settings = settingsOf(await this.get(name));
    return options ? openDriver({ ...settings, options }) : this.open.open(settings);
  }

  async update(name: string, changes: In<typeof channels.update>['body']): Promise<Channel> {
    const channel = await this.store.update(name, changes, (next) => {
      try {
        void openDriver(settingsOf(next)).close?.();
      } catch (error) {
        if (!(error instanceof InvalidOptions)) throw error;
        const issues = error.issues.map((i) => ({
          field: `options.${i.field}`,
          rule: 'option',
          message: i.message,
        }));
        throw new AppError('validation', error.message, { issues });
      }
    });
    this.forget();
    return channel;
  }

  /** What was read of the channels is believed no longer. */
  forget(): void {
    this.believed.forget(ALL);
  }

  onApplicationShutdown(): Promise<void> {
    return this.open.close();
  }
}

function settingsOf({ name, driver, types, options }: Channel): ChannelSettings {
  return { name, driver, types, options };
}
