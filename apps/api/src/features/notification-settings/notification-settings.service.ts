import { Injectable } from '@nestjs/common';
import type {
  BalanceLimitsInput,
  NotificationSettings,
  notificationSettings,
  ResponseOf,
} from '@heliograph/contract';
import {
  choosableChannels,
  defaultChannels,
  nextReportRun,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_TYPES,
  type NotificationChannel,
  type NotificationType,
} from '@heliograph/domain';
import { may, refuseImpersonated, requirePermission, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import { TelegramService } from '../notifications/telegram/telegram.service.ts';
import { BalanceLimitsService } from './balance-limits.service.ts';
import { dailyAt } from './daily-balance.service.ts';
import { NotificationSettingsStore } from './notification-settings.store.ts';

type Choice = { channel: NotificationChannel; isOn: boolean; timeZone?: string };

/** What a user is notified of, and where. docs/decisions/042-notification-channels.md. */
@Injectable()
export class NotificationSettingsService {
  constructor(
    private readonly db: Db,
    private readonly store: NotificationSettingsStore,
    private readonly telegram: TelegramService,
    private readonly limits: BalanceLimitsService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async of(actor: Actor): Promise<NotificationSettings> {
    const { userId } = actor;
    const chosen = await this.store.chosen(userId);
    const address = await this.store.email(userId);
    const emailState = address ? ('ready' as const) : ('unconfirmed' as const);
    return {
      events: NOTIFICATION_TYPES.filter((type) => concerns(actor, type)).map((type) => ({
        type,
        channels: ordered(chosen.get(type) ?? defaultChannels(type)),
        choices: [...choosableChannels(type)],
      })),
      limits: await this.limits.of(userId),
      telegram: await this.telegram.state(userId),
      email: { state: this.config.mail === 'off' ? 'off' : emailState, address },
    };
  }

  /** One channel of one type, so that two quick changes do not undo each other. */
  choose(
    actor: Actor,
    type: NotificationType,
    { channel, isOn, timeZone }: Choice,
  ): Promise<ResponseOf<typeof notificationSettings.update>> {
    refuseImpersonated(actor);
    refuseAlwaysOn(type, channel, 'channel');
    if (type === 'BalanceDaily' && isOn) requirePermission(actor, 'billings.find');
    const change = (now: readonly NotificationChannel[]) => {
      const others = now.filter((one) => one !== channel);
      return isOn ? [...others, channel] : others;
    };
    return this.save(actor, type, change, timeZone);
  }

  /** All channels of a type. Those who may not read the balance turn its daily notification off alone. */
  chooseAll(
    actor: Actor,
    type: NotificationType,
    channels: readonly NotificationChannel[],
  ): Promise<ResponseOf<typeof notificationSettings.update>> {
    refuseImpersonated(actor);
    for (const [i, channel] of channels.entries()) refuseAlwaysOn(type, channel, `channels.${i}`);
    return this.save(actor, type, (now) => {
      const isAdded = channels.some((channel) => !now.includes(channel));
      if (type === 'BalanceDaily' && isAdded) requirePermission(actor, 'billings.find');
      return channels;
    });
  }

  private save(
    { userId }: Actor,
    type: NotificationType,
    change: (now: readonly NotificationChannel[]) => readonly NotificationChannel[],
    timeZone?: string,
  ): Promise<ResponseOf<typeof notificationSettings.update>> {
    const isDaily = type === 'BalanceDaily';
    return this.db.transaction(async () => {
      const now = await this.store.lock(userId, type, defaultChannels(type));
      const channels = ordered(change(now.channels));
      const zone = isDaily ? (timeZone ?? now.timeZone) : null;
      const nextAt =
        isDaily && channels.length
          ? nextReportRun(dailyAt(now.personalZone ?? zone ?? 'UTC'), this.clock.now())
          : null;
      await this.store.save(userId, type, { channels, timeZone: zone, nextAt });
      return { type, channels };
    });
  }

  async setLimits(
    actor: Actor,
    input: BalanceLimitsInput,
  ): Promise<ResponseOf<typeof notificationSettings.setLimits>> {
    refuseImpersonated(actor);
    return { limits: await this.limits.set(actor, input) };
  }

  linkTelegram(actor: Actor): Promise<ResponseOf<typeof notificationSettings.linkTelegram>> {
    refuseImpersonated(actor);
    return this.telegram.code(actor.userId);
  }

  async unlinkTelegram(
    actor: Actor,
  ): Promise<ResponseOf<typeof notificationSettings.unlinkTelegram>> {
    refuseImpersonated(actor);
    return { wasLinked: await this.telegram.unlink(actor.userId) };
  }
}

function refuseAlwaysOn(type: NotificationType, channel: NotificationChannel, field: string): void {
  if (!choosableChannels(type).includes(channel))
    throw invalid(field, 'always_on', 'This e-mail is always sent.');
}

const ordered = (channels: readonly NotificationChannel[]): NotificationChannel[] =>
  NOTIFICATION_CHANNELS.filter((channel) => channels.includes(channel));

/** What is told to a member: what happens to itself, and the balance if it may see it. The rest is told to the account holder. */
const OF_PERSON =
  /^(?:Auth(?:Recover|Email|Password|NewDevice|RecoveryCodeUsed|SecondFactor\w+)|Telegram(?:Unl|L)inked)$/;
const OF_BALANCE = /^Balance(?:Limit|Daily)$/;

function concerns(actor: Actor, type: NotificationType): boolean {
  if (actor.role !== null)
    return OF_PERSON.test(type) || (OF_BALANCE.test(type) && may(actor, 'billings.find'));
  if (type === 'CertificateEnding') return may(actor, 'installation.get');
  // Alarms of channels go to those who configure them.
  return !type.startsWith('ChannelAlarm') || may(actor, 'channels.get');
}
