import { Injectable } from '@nestjs/common';
import { MaxSandbox } from '@heliograph/simulators';
import { createHmac, randomInt } from 'node:crypto';
import { Config } from '../../core/config.ts';
import { isSameSecret } from '../../core/http/same-secret.ts';
import { SimulatedHost } from '../../core/http/simulated-host.ts';
import { Log } from '../../core/log.ts';
import { ChannelsService } from './channels.service.ts';
import { LARGEST_ID, postUpdate } from './simulated-messengers.ts';

/** The demo world's channel whose bot is in MAX. */
const CHANNEL = 'max';
export const MAX_BOT_PATH = '/sandbox/max-bot';

/** A simulated MAX inside of a demo installation, with the bot of its channel. The product reaches it over the Bot API only. */
@Injectable()
export class MaxHost extends SimulatedHost {
  constructor(
    private readonly config: Config,
    private readonly channels: ChannelsService,
    log: Log,
  ) {
    super(log);
  }

  protected override isBuiltIn(): boolean {
    return this.config.DEMO && this.config.SIMULATED_TELEGRAM !== undefined;
  }

  protected override async open(): Promise<MaxSandbox> {
    const channel = await this.channels.settings(CHANNEL);
    const token = String(channel?.options.token ?? '');
    return new MaxSandbox({
      sign: (text) => createHmac('sha256', token).update(text).digest('hex'),
      isToken: (given) => token !== '' && isSameSecret(given, token),
      baseUrl: MAX_BOT_PATH,
      now: Date.now,
      newUserId: () => randomInt(2 ** 40, LARGEST_ID),
      post: async (webhook, update) => {
        await postUpdate(this.config.localUrl, 'x-max-bot-api-secret', webhook, update);
      },
    });
  }
}
