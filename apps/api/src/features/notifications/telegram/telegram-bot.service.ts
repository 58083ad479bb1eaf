import { Injectable } from '@nestjs/common';
import { BOT_TEXTS, localeOfLanguage, telegramText, type Locale } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Log } from '../../../core/log.ts';
import { Notifications } from '../../../core/notifications.ts';
import { RateLimits } from '../../../core/rate-limits.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { codeIn, hashOfCode } from './link-code.ts';
import { TelegramClient, type TelegramMessage } from './telegram-client.ts';
import { TelegramStore, type Bot, type LinkedUser } from './telegram.store.ts';

/** Codes that a chat can try in an hour. */
const CODES = { prefix: 'telegram:code', points: 5, seconds: 3600 };
/** Telegram holds a request for so long until there are updates. The sandbox answers at once. */
const POLL_SECONDS = 5;
const IDENTITY_MS = 3_600_000;
/** After a failed request: Telegram is down, or the token is wrong. */
const PAUSE_MS = 10_000;

/** Reads what people write to the bot: one worker at a time, since a bot has one list of updates. */
@Injectable()
export class TelegramBotService {
  private readonly attempts: ReturnType<RateLimits['of']>;
  private known: { at: number; username: string } | null = null;
  private pausedUntil = 0;

  constructor(
    private readonly config: Config,
    private readonly client: TelegramClient,
    private readonly store: TelegramStore,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
    private readonly shutdown: Shutdown,
    private readonly log: Log,
    limits: RateLimits,
  ) {
    this.attempts = limits.of(CODES.prefix, CODES.points, CODES.seconds);
  }

  @Sweeps(1000)
  async poll(): Promise<boolean> {
    if (this.config.telegram === 'off' || performance.now() < this.pausedUntil) return false;
    const bot = await this.identify();
    if (!bot) return false;
    const wait = this.config.telegram === 'sandbox' ? 0 : POLL_SECONDS;
    const answer = await this.client.getUpdates(bot.nextUpdate, wait, this.shutdown.signal);
    if (!('result' in answer)) return this.pause('getUpdates', answer);
    for (const { update_id, message } of answer.result) {
      const isFree = await this.mayTry(message);
      const reply = await this.db.transaction(() => this.process(bot, update_id, message, isFree));
      if (reply) await this.client.sendMessage(message!.chat.id, telegramText(reply));
    }
    return answer.result.length > 0;
  }

  @Sweeps(60_000)
  deleteExpiredCodes(): Promise<void> {
    return this.store.deleteExpired(this.clock.now());
  }

  /** The bot with its position in the updates; the name is asked for once an hour. */
  private async identify(): Promise<Bot | null> {
    const { botId } = this.client;
    if (this.known && performance.now() - this.known.at < IDENTITY_MS) {
      const bot = await this.store.bot(botId);
      if (bot) return bot;
    }
    const answer = await this.client.getMe();
    if (!('result' in answer) || !answer.result?.username) {
      this.pause('getMe', 'result' in answer ? { code: 0, description: 'no username' } : answer);
      return null;
    }
    this.known = { at: performance.now(), username: answer.result.username };
    return this.store.saveBot(botId, answer.result.username);
  }

  private pause(
    method: string,
    { code, description }: { code: number; description: string },
  ): false {
    if (this.shutdown.isStopping) return false;
    this.pausedUntil = performance.now() + PAUSE_MS;
    this.log.warn({ method, code, description }, 'Telegram did not answer; polling goes on later.');
    return false;
  }

  /** The reply, or null for a repeated update. */
  private async process(
    { id }: Bot,
    updateId: number,
    message: TelegramMessage | undefined,
    isFree: boolean,
  ): Promise<string | null> {
    if (!(await this.store.takeUpdate(id, updateId))) return null;
    const text = message?.text;
    // Notifications of an account are not for groups.
    if (!message || !text || message.chat.type !== 'private') return null;
    const locale = localeOfLanguage(message.from?.language_code ?? '');
    if (/^\/stop\b/i.test(text)) return this.stop(message.chat.id, locale);
    const code = codeIn(text);
    if (!code) return BOT_TEXTS[locale].help;
    return isFree ? this.link(message, code, locale) : BOT_TEXTS[locale].tooMany;
  }

  /** Whether the chat has attempts left. Every code counts until one is right, so that codes cannot be guessed. */
  private mayTry(message: TelegramMessage | undefined): Promise<boolean> {
    if (!message?.text || !codeIn(message.text)) return Promise.resolve(true);
    return this.attempts.consume(String(message.chat.id)).then(
      () => true,
      () => false,
    );
  }

  private async link({ chat }: TelegramMessage, code: string, locale: Locale): Promise<string> {
    const linked = await this.store.link(hashOfCode(code), chat.id, nameOf(chat), this.clock.now());
    if (!linked) return BOT_TEXTS[locale].wrongCode;
    await this.notify('TelegramLinked', linked, {});
    this.db.afterCommit(() => this.attempts.delete(String(chat.id)).catch(() => undefined));
    return BOT_TEXTS[linked.locale ?? locale].linked.replace('{username}', () => linked.username);
  }

  private async stop(chatId: number, locale: Locale): Promise<string> {
    const users = await this.unlink({ chatId }, 'stopped');
    return users.length
      ? BOT_TEXTS[users[0]!.locale ?? locale].unlinked
      : BOT_TEXTS[locale].notLinked;
  }

  /** Unlinks and notifies the users elsewhere. In the caller's transaction, if there is one. */
  unlink(
    where: Parameters<TelegramStore['unlink']>[0],
    reason: 'stopped' | 'blocked' | 'cabinet',
  ): Promise<LinkedUser[]> {
    return this.db.transaction(async () => {
      const users = await this.store.unlink(where);
      for (const user of users) await this.notify('TelegramUnlinked', user, { reason });
      return users;
    });
  }

  private notify(
    type: 'TelegramLinked' | 'TelegramUnlinked',
    { OwnerId, userId, username, chat }: LinkedUser,
    details: object,
  ): Promise<void> {
    return this.notifications.notify(OwnerId, type, { username, chat, ...details }, userId);
  }
}

/** As the person named itself in Telegram: it is shown as text only. */
const nameOf = ({ first_name, title, username }: TelegramMessage['chat']): string =>
  [first_name ?? title, username && `@${username}`]
    .filter(Boolean)
    .join(' ')
    .replace(/\p{C}/gu, '')
    .slice(0, 100) || 'Telegram';
