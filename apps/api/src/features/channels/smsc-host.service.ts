import { Smsc } from '@heliograph/simulators';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { Config } from '../../core/config.ts';
import { Log } from '../../core/log.ts';
import { ChannelsService } from './channels.service.ts';

/** The demo world's channel by which the SMSC of the installation is reached. */
const CHANNEL = 'smpp';

/** A simulated SMSC inside of a demo installation. The product reaches it over SMPP only, through the channel of the demo world. */
@Injectable()
export class SmscHost implements OnApplicationShutdown {
  private smsc?: Smsc;

  constructor(
    private readonly config: Config,
    private readonly channels: ChannelsService,
    private readonly log: Log,
  ) {}

  /** Listens where the setting says, with the account of the channel. Nothing else depends on it: its failure is a line of the log. */
  async start(): Promise<void> {
    const { DEMO, SIMULATED_SMSC: url, HOST } = this.config;
    if (!DEMO || !url) return;
    try {
      const channel = await this.channels.settings(CHANNEL);
      const { systemId, password } = (channel?.options ?? {}) as Record<string, string>;
      if (!systemId || !password) return;
      this.smsc = new Smsc({ systemId, password });
      await this.smsc.listen(Number(new URL(url).port), HOST);
    } catch (error) {
      this.log.warn({ err: error, url }, 'the simulated SMSC does not listen');
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.smsc?.close();
  }
}
