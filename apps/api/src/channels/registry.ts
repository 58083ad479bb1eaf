import {
  type ChannelSettings,
  type Driver,
  type DriverFactory,
  InvalidOptions,
} from './channel.ts';
import { openHttp } from './http/http.driver.ts';
import { openSimulator } from './simulator/simulator.driver.ts';

/** Every driver by the name that channels call it. A new driver is one line here. */
export const drivers: Readonly<Record<string, DriverFactory>> = {
  simulator: openSimulator,
  http: openHttp,
};

/** Opens a channel once, for a check or for a while; throws InvalidOptions. */
export function openDriver(channel: ChannelSettings): Driver {
  if (!Object.hasOwn(drivers, channel.driver)) {
    const message = `no driver is called ${channel.driver}, only ${Object.keys(drivers).join(', ')}`;
    throw new InvalidOptions(channel.name, [{ field: 'driver', message }]);
  }
  return drivers[channel.driver]!(channel);
}

/**
 * The open channels of a process. A channel stays open, with its connections, until its settings
 * change or everything is closed.
 *
 *     await channels.open(settings).send(batch, { now, signal });
 */
export class OpenChannels {
  private readonly held = new Map<string, { settings: string; driver: Driver }>();

  open(channel: ChannelSettings): Driver {
    const settings = JSON.stringify([channel.driver, channel.options]);
    const known = this.held.get(channel.name);
    if (known?.settings === settings) return known.driver;
    const driver = openDriver(channel);
    this.held.set(channel.name, { settings, driver });
    // The old connections finish what is under way; nobody waits for them.
    void known?.driver.close?.().catch(() => undefined);
    return driver;
  }

  async close(): Promise<void> {
    const open = [...this.held.values()];
    this.held.clear();
    await Promise.all(open.map(({ driver }) => driver.close?.()));
  }
}
