import { Injectable } from '@nestjs/common';
import { BotSandbox } from '@heliograph/simulators';
import { randomInt } from 'node:crypto';
import { GeneratedSecrets } from '../../../core/auth/generated-secrets.ts';
import { Config } from '../../../core/config.ts';
import { isSameSecret } from '../../../core/http/same-secret.ts';
import { SimulatedHost } from '../../../core/http/simulated-host.ts';
import { Log } from '../../../core/log.ts';

/** The largest range that `randomInt` takes. */
const MAX_CHAT_ID = 2 ** 48 - 1;

/** The simulated messenger, below `/sandbox/telegram`. */
@Injectable()
export class TelegramHost extends SimulatedHost {
  constructor(
    private readonly config: Config,
    private readonly secrets: GeneratedSecrets,
    log: Log,
  ) {
    super(log);
  }

  protected override isBuiltIn(): boolean {
    return this.config.telegram === 'sandbox';
  }

  protected override async open(): Promise<BotSandbox> {
    const token = await this.secrets.get('telegram');
    return new BotSandbox({
      isToken: (given) => isSameSecret(given, token),
      baseUrl: '/sandbox/telegram',
      now: Date.now,
      newChatId: () => randomInt(2 ** 40, MAX_CHAT_ID),
    });
  }
}
