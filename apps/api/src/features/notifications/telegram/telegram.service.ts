import { Injectable } from '@nestjs/common';
import type { NotificationSettings, ResponseOf, notificationSettings } from '@heliograph/contract';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { AppError } from '../../../core/errors.ts';
import { RateLimits, take } from '../../../core/rate-limits.ts';
import { hashOfCode, newLinkCode } from './link-code.ts';
import { TelegramBotService } from './telegram-bot.service.ts';
import { TelegramClient } from './telegram-client.ts';
import { TelegramStore } from './telegram.store.ts';

const CODE_SECONDS = 600;
/** New codes of a user in an hour. */
const CODES = { prefix: 'telegram:codes', points: 20, seconds: 3600 };

/** Links the chats of users with the bot. */
@Injectable()
export class TelegramService {
  private readonly limit: ReturnType<RateLimits['of']>;

  constructor(
    private readonly config: Config,
    private readonly client: TelegramClient,
    private readonly store: TelegramStore,
    private readonly bot: TelegramBotService,
    private readonly clock: Clock,
    limits: RateLimits,
  ) {
    this.limit = limits.of(CODES.prefix, CODES.points, CODES.seconds);
  }

  async state(userId: string): Promise<NotificationSettings['telegram']> {
    const none = { bot: null, chat: null, linkedAt: null };
    if (this.config.telegram === 'off') return { state: 'off', ...none };
    const bot = await this.store.bot(this.client.botId);
    if (!bot) return { state: 'starting', ...none };
    const chat = await this.store.chatOf(userId);
    if (!chat) return { state: 'unlinked', ...none, bot: bot.username };
    const { name, createdAt } = chat;
    return { state: 'linked', bot: bot.username, chat: name, linkedAt: createdAt.toISOString() };
  }

  /** A code that links one chat, within ten minutes. Only its hash is stored. */
  async code(userId: string): Promise<ResponseOf<typeof notificationSettings.linkTelegram>> {
    const bot = this.config.telegram !== 'off' && (await this.store.bot(this.client.botId));
    if (!bot) throw new AppError('unavailable', 'The Telegram bot is not available');
    await take(this.limit, userId);
    const code = newLinkCode();
    const expiresAt = secondsAfter(this.clock.now(), CODE_SECONDS);
    await this.store.saveCode(userId, hashOfCode(code), expiresAt);
    const url =
      this.config.telegram === 'sandbox'
        ? `${this.config.publicUrl}/sandbox/telegram?start=${code}`
        : `https://t.me/${encodeURIComponent(bot.username)}?start=${code}`;
    return { code, url, bot: bot.username, expiresAt: expiresAt.toISOString() };
  }

  async unlink(userId: string): Promise<boolean> {
    return (await this.bot.unlink({ userId }, 'cabinet')).length > 0;
  }
}
