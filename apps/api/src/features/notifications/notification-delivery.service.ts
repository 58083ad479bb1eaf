import { Injectable } from '@nestjs/common';
import {
  notificationEmail,
  notificationPlace,
  plainRichText,
  telegramNotification,
} from '@heliograph/domain';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import type { JobPayload } from '../../core/jobs/catalog.ts';
import { HandlesJob, Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Log } from '../../core/log.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { BrandsService } from '../brands/brands.service.ts';
import {
  NotificationQueueStore,
  type QueuedChannel,
  type QueuedNotification,
  type QueueResult,
} from './notification-queue.store.ts';
import { TelegramBotService } from './telegram/telegram-bot.service.ts';
import { TelegramClient } from './telegram/telegram-client.ts';
import { TelegramStore } from './telegram/telegram.store.ts';
import { wordsOf, type Words } from './words.ts';

/** Notifications that a worker takes and sends at a time. */
const BATCH_SIZE = 20;
/** A worker that takes longer was stopped; another one repeats the attempt. */
const CLAIM_SECONDS = 120;
/** After this time other jobs get a turn. */
const TURN_MS = 10_000;
/** Before the next attempt, by the number of failed ones: up to a day. */
const RETRY_SECONDS = [10, 60, 300, 1800, 3600, 7200, 14_400, 28_800, 28_800];
const CHANNELS = ['telegram', 'email'] as const;
const SETTINGS_PATH = '/settings/settingsUser';

type Outcome =
  | { kind: 'sent' }
  | { kind: 'failed'; error: string }
  | { kind: 'again' }
  | { kind: 'wait'; seconds: number };

/** Sends notifications over Telegram and e-mail, each at least once: a worker that stops before it records a result sends again. */
@Injectable()
export class NotificationDelivery {
  private readonly running = new Set<QueuedChannel>();

  constructor(
    private readonly config: Config,
    private readonly brands: BrandsService,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly log: Log,
    private readonly shutdown: Shutdown,
    private readonly store: NotificationQueueStore,
    private readonly mailer: Mailer,
    private readonly telegram: TelegramClient,
    private readonly chats: TelegramStore,
    private readonly bot: TelegramBotService,
  ) {}

  @Sweeps(1000)
  async sweep(): Promise<void> {
    const now = this.clock.now();
    for (const channel of CHANNELS)
      if ((await this.isUsable(channel)) && (await this.store.isDue(channel, now)))
        this.jobs.enqueue('notifications.deliver', { channel });
  }

  /** One run of a channel at a time: a mail server that does not answer delays no message of Telegram. */
  @HandlesJob('notifications.deliver')
  async deliver({ channel }: JobPayload<'notifications.deliver'>): Promise<void> {
    if (this.running.has(channel)) return;
    this.running.add(channel);
    try {
      await this.run(channel);
    } finally {
      this.running.delete(channel);
    }
  }

  private async run(channel: QueuedChannel): Promise<void> {
    const end = performance.now() + TURN_MS;
    while (performance.now() < end && !this.shutdown.isStopping) {
      if (!(await this.isUsable(channel))) return;
      if ((await this.batch(channel)) < BATCH_SIZE) return;
    }
  }

  private async isUsable(channel: QueuedChannel): Promise<boolean> {
    if (channel === 'email') return this.mailer.isEnabled;
    if (this.config.telegram === 'off') return false;
    const bot = await this.chats.bot(this.telegram.botId);
    return !!bot && (!bot.blockedUntil || bot.blockedUntil <= this.clock.now());
  }

  private async batch(channel: QueuedChannel): Promise<number> {
    const now = this.clock.now();
    const until = secondsAfter(now, CLAIM_SECONDS);
    const rows = await this.store.claim(channel, now, until, BATCH_SIZE);
    const send = channel === 'email' ? this.email : this.message;
    const results = await Promise.all(
      rows.map(async (row) => this.resultOf(row, await send.call(this, row))),
    );
    await this.store.record(results, this.clock.now());
    return rows.length;
  }

  private resultOf({ id, tries }: QueuedNotification, outcome: Outcome): QueueResult {
    const at = this.clock.now();
    if (outcome.kind === 'sent' || outcome.kind === 'failed') return { id, tries, ...outcome };
    if (outcome.kind === 'wait')
      return { id, tries, kind: 'later', dueAt: secondsAfter(at, outcome.seconds), counts: false };
    const seconds = RETRY_SECONDS[tries - 1];
    if (seconds === undefined) return { id, tries, kind: 'failed', error: 'unreachable' };
    return { id, tries, kind: 'later', dueAt: secondsAfter(at, seconds), counts: true };
  }

  private async email(row: QueuedNotification): Promise<Outcome> {
    if (!row.email) return { kind: 'failed', error: 'no_address' };
    const { title, lines, rich } = this.wordsFor(row);
    const { title: product, url, sender } = await this.brands.ofUser(row.UserId);
    const written = rich ? plainRichText(rich).split('\n').filter(Boolean) : [];
    const message = notificationEmail(row.locale ?? 'en', {
      product,
      title,
      lines: [...lines, ...written],
      url: `${url}${notificationPlace(row.type, row.data) ?? '/notifications'}`,
      settingsUrl: `${url}${SETTINGS_PATH}`,
    });
    try {
      await this.mailer.deliver(row.email, message, { sender });
      return { kind: 'sent' };
    } catch (error) {
      const { responseCode } = error as { responseCode?: number };
      // 5.x.y of RFC 5321: the server will not accept it later either.
      if (Number(responseCode) >= 500) return { kind: 'failed', error: 'refused' };
      this.log.warn({ notificationId: row.id, responseCode }, 'a notification was not sent');
      return { kind: 'again' };
    }
  }

  private async message(row: QueuedNotification): Promise<Outcome> {
    if (row.chatId === null) return { kind: 'failed', error: 'unlinked' };
    const { url } = await this.brands.ofUser(row.UserId);
    const place = `${url}${notificationPlace(row.type, row.data) ?? '/notifications'}`;
    const html = telegramNotification(row.locale ?? 'en', this.wordsFor(row), place);
    const answer = await this.telegram.sendMessage(row.chatId, html);
    if ('result' in answer) return { kind: 'sent' };
    const { code, description, retryAfterSeconds } = answer;
    if (code === 429) {
      const seconds = retryAfterSeconds ?? 30;
      await this.chats.block(this.telegram.botId, secondsAfter(this.clock.now(), seconds));
      return { kind: 'wait', seconds };
    }
    if (code === 403 || /chat not found/i.test(description)) {
      await this.bot.unlink({ userId: row.UserId, chatId: row.chatId }, 'blocked');
      return { kind: 'failed', error: 'blocked' };
    }
    this.log.warn({ notificationId: row.id, code, description }, 'a notification was not sent');
    return code === 400 ? { kind: 'failed', error: 'refused' } : { kind: 'again' };
  }

  private wordsFor({ type, data, locale, timeZone, currency }: QueuedNotification): Words {
    const reader = { locale: locale ?? 'en', timeZone, currency: currency ?? this.config.CURRENCY };
    return wordsOf(type, data, reader);
  }
}
