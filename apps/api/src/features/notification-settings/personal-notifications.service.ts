import { Injectable, type OnModuleInit } from '@nestjs/common';
import type {
  NotificationSetting,
  NotificationSettingInput,
  NotificationSettingKey,
  SettingsUser,
} from '@heliograph/contract';
import { defaultChannels, type NotificationType } from '@heliograph/domain';
import { refuseToken, type Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import { SettingsUserService, type OtherSettings } from '../settings-user/settings-user.service.ts';
import { asInput, BalanceLimitsService } from './balance-limits.service.ts';
import { NotificationSettingsService } from './notification-settings.service.ts';

/** Notification settings as settings of a user, by type, with the permissions that `/notificationSettings` needs. */
@Injectable()
export class PersonalNotificationsService
  implements OnModuleInit, OtherSettings<NotificationSettingKey, NotificationSettingInput>
{
  readonly prefix = 'events.';

  constructor(
    private readonly db: Db,
    private readonly personal: SettingsUserService,
    private readonly settings: NotificationSettingsService,
    private readonly limits: BalanceLimitsService,
  ) {}

  onModuleInit(): void {
    this.personal.add(this);
  }

  async of(actor: Actor): Promise<SettingsUser> {
    const { events, limits } = await this.settings.of(actor);
    const settings = limits.map(asInput);
    return Object.fromEntries(
      events.map(({ type, channels }): [NotificationSettingKey, NotificationSetting] => [
        `events.${type}`,
        { channels, settings: type === 'BalanceLimit' ? settings : null },
      ]),
    );
  }

  /** The channels and the limits at once. Null puts the default channels back and removes the limits. */
  async put(
    actor: Actor,
    key: NotificationSettingKey,
    value: NotificationSettingInput | null,
  ): Promise<NotificationSetting | null> {
    refuseToken(actor);
    const type = key.slice(this.prefix.length) as NotificationType;
    const hasLimits = type === 'BalanceLimit';
    if (!hasLimits && value?.settings?.length)
      throw invalid('settings', 'unknown_field', 'Only BalanceLimit has settings.');
    return this.db.transaction(async () => {
      const wanted = value?.channels ?? defaultChannels(type);
      const { channels } = await this.settings.chooseAll(actor, type, wanted);
      const isKept = !hasLimits || (value?.settings === undefined && value !== null);
      const limits = isKept
        ? await this.limits.of(actor.userId)
        : await this.limits.set(actor, { limits: value?.settings ?? [] }, 'settings');
      return value && { channels, settings: hasLimits ? limits.map(asInput) : null };
    });
  }
}
