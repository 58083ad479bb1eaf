import { LRUCache } from 'lru-cache';

import { ariDriver } from './ari/ari.driver.ts';
import {
  ChannelDown,
  type ChannelFacts,
  type ChannelSettings,
  type Chats,
  type DriverDefinition,
  type Inbox,
  InvalidOptions,
  type OpenContext,
  type OpenDriver,
} from './channel.ts';
import { fcmDriver } from './fcm/fcm.driver.ts';
import { httpDriver } from './http/http.driver.ts';
import { mappingDriver } from './http-mapping/mapping.driver.ts';
import { type ExchangeLog, logged, secretsOf } from './exchanges.ts';
import { parseOptions, shownOptions } from './options.ts';
import { maxBotDriver } from './max-bot/max-bot.driver.ts';
import { simulatorDriver } from './simulator/simulator.driver.ts';
import { smppDriver } from './smpp/smpp.driver.ts';
import { smtpDriver } from './smtp/smtp.driver.ts';
import { telegramBotDriver } from './telegram-bot/telegram-bot.driver.ts';
import { telegramGatewayDriver } from './telegram-gateway/telegram-gateway.driver.ts';
import { webPushDriver } from './web-push/web-push.driver.ts';
import { wapiDriver } from './wapi/wapi.driver.ts';
import { whatsappDriver } from './whatsapp-cloud/whatsapp.driver.ts';

/** All drivers. A new driver is added here. */
export const drivers: readonly DriverDefinition[] = [
  simulatorDriver,
  httpDriver,
  mappingDriver,
  smppDriver,
  smtpDriver,
  fcmDriver,
  webPushDriver,
  wapiDriver,
  whatsappDriver,
  ariDriver,
  telegramGatewayDriver,
  telegramBotDriver,
  maxBotDriver,
];

export function findDriver(name: string): DriverDefinition | undefined {
  return drivers.find((driver) => driver.name === name);
}

/** The definition of a channel's driver and its options as that understands them; throws InvalidOptions. */
function definitionOf(channel: ChannelSettings) {
  const definition = findDriver(channel.driver);
  if (!definition) {
    const names = drivers.map(({ name }) => name).join(', ');
    const message = `no driver is called ${channel.driver}, only ${names}`;
    throw new InvalidOptions(channel.name, [{ field: 'driver', message }]);
  }
  return { definition, options: parseOptions(channel.name, definition.options, channel.options) };
}

/** What holds of a channel without opening it; throws InvalidOptions. */
export function describeChannel(channel: ChannelSettings): ChannelFacts {
  const { definition, options } = definitionOf(channel);
  return { ...definition.describe(options), revision: channel.revision };
}

/** Parts of the context that all channels share. */
type Shared = Omit<OpenContext, 'channel' | 'inbox' | 'chats'> & {
  readonly inbox: (channel: string) => Inbox;
  readonly chats: (channel: string) => Chats;
  readonly exchanges?: ExchangeLog;
};

/** Opens a channel without caching it; throws InvalidOptions. */
export function openDriver(channel: ChannelSettings, shared: Shared): OpenDriver {
  const { definition, options } = definitionOf(channel);
  const { name } = channel;
  const { exchanges, ...context } = shared;
  const driver = definition.open(options, {
    ...context,
    channel: name,
    inbox: shared.inbox(name),
    chats: shared.chats(name),
  });
  if (exchanges) {
    const shown = new Set(Object.keys(shownOptions(definition, channel.options).options));
    const secrets = secretsOf(channel.options, (option) => shown.has(option));
    driver.send = logged(name, driver, secrets, exchanges);
  }
  return Object.assign(driver, { facts: describeChannel(channel) });
}

/** Open drivers of former settings, and the time after their last use at which they are closed. */
const MAX_FORMER = 32;
const FORMER_IDLE_MS = 60_000;

/** How long messages wait for a channel that cannot be opened: its settings have to be changed. */
const UNOPENED_RETRY_MS = 60_000;

/** Throws ChannelDown: settings of another version of the product may not be valid in this one. */
function openOrDown(...parameters: Parameters<typeof openDriver>): OpenDriver {
  try {
    return openDriver(...parameters);
  } catch (error) {
    // Other errors may contain secrets.
    const reason = error instanceof InvalidOptions ? error.message : (error as Error).name;
    const message = `the channel cannot be opened: ${reason}`;
    throw new ChannelDown(message, UNOPENED_RETRY_MS, { cause: error });
  }
}

/**
 * The open channels of a process. A channel stays open, with its connections, until its settings
 * change or everything is closed; former settings stay open while batches are polled with them.
 *
 *     await channels.open(settings).send(batch, { now, signal });
 */
export class OpenChannels {
  private readonly current = new Map<string, OpenDriver>();
  private readonly former = new LRUCache<number, OpenDriver>({
    max: MAX_FORMER,
    ttl: FORMER_IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    // Closes after running calls; there is nothing to wait for.
    dispose: (driver) => void driver.close?.().catch(() => undefined),
  });

  constructor(private readonly shared: Shared) {}

  open(channel: ChannelSettings): OpenDriver {
    const known = this.current.get(channel.name);
    if (known?.facts.revision === channel.revision) return known;
    const driver = openOrDown(channel, this.shared);
    this.current.set(channel.name, driver);
    if (known) this.former.set(known.facts.revision, known);
    return driver;
  }

  /** One more session of a channel, which the caller closes. */
  openAnother(channel: ChannelSettings): OpenDriver {
    return openOrDown(channel, this.shared);
  }

  /** The driver of former settings; `load` reads them when they are not open. */
  async openFormer(
    revision: number,
    load: () => Promise<ChannelSettings | undefined>,
  ): Promise<OpenDriver | undefined> {
    const settings = this.former.has(revision) ? undefined : await load();
    if (settings && !this.former.has(revision))
      this.former.set(revision, openDriver(settings, this.shared));
    return this.former.get(revision);
  }

  async close(): Promise<void> {
    const open = [...this.current.values()];
    this.current.clear();
    this.former.clear();
    await Promise.all(open.map((driver) => driver.close?.()));
  }
}
