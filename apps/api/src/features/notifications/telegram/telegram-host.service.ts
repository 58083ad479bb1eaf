import { Injectable } from '@nestjs/common';
import { BotSandbox } from '@heliograph/domain';
import type { Response } from 'express';
import qs from 'qs';
import { randomInt } from 'node:crypto';
import { GeneratedSecrets } from '../../../core/auth/generated-secrets.ts';
import { Config } from '../../../core/config.ts';
import { AppError } from '../../../core/errors.ts';
import { readBody } from '../../../core/http/body.ts';
import type { AppRequest } from '../../../core/http/endpoint.ts';
import { isSameSecret } from '../../../core/http/same-secret.ts';
import { Log } from '../../../core/log.ts';

/** The largest range that `randomInt` takes. */
const MAX_CHAT_ID = 2 ** 48 - 1;

/** The messenger inside of a demo installation, below `/sandbox/telegram`. The bot reaches it by the Bot API only. */
@Injectable()
export class TelegramHost {
  private sandbox?: Promise<BotSandbox>;

  constructor(
    private readonly config: Config,
    private readonly secrets: GeneratedSecrets,
    private readonly log: Log,
  ) {}

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    response.set('cache-control', 'no-store');
    try {
      if (this.config.telegram !== 'sandbox') return void response.status(404).end();
      const body = await readBody(request, { form: true });
      const answer = (await (this.sandbox ??= this.create())).respond({
        method: request.method,
        path: request.path,
        query: qs.parse(request.url.split('?')[1] ?? '') as Record<string, string>,
        body: (body?.parse() ?? {}) as Record<string, unknown>,
      });
      response.status(answer.status);
      if (answer.location) response.redirect(answer.status, answer.location);
      else if (answer.html) response.type('html').send(answer.html);
      else response.json(answer.json);
    } catch (error) {
      const status = error instanceof AppError ? error.status : 500;
      if (status === 500) this.log.error({ err: error }, 'the sandbox failed');
      response.status(status).end();
    }
  };

  private async create(): Promise<BotSandbox> {
    const token = await this.secrets.get('telegram');
    return new BotSandbox({
      isToken: (given) => isSameSecret(given, token),
      baseUrl: '/sandbox/telegram',
      now: Date.now,
      newChatId: () => randomInt(2 ** 40, MAX_CHAT_ID),
    });
  }
}
