import { Injectable } from '@nestjs/common';
import {
  isWebhookSetting,
  userSettingBody,
  type ResponseOf,
  type SettingChange,
  type settingsUser,
  type SettingsUser,
  type UserSettingKey,
  type WebhookSettingInput,
} from '@heliograph/contract';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { notFound } from '../../core/errors.ts';
import { Rooms } from '../../core/events/rooms.ts';
import { parse } from '../../core/http/validation.ts';
import { Quotas } from '../../core/quotas.ts';
import { WebhookSettingsService } from '../webhooks/webhook-settings.service.ts';
import { LISTS_QUOTA, SettingsUserStore } from './settings-user.store.ts';

/** Settings of the cabinet that follow a person to every browser. docs/decisions/024-personal-settings.md. */
@Injectable()
export class SettingsUserService {
  constructor(
    private readonly db: Db,
    private readonly store: SettingsUserStore,
    private readonly quotas: Quotas,
    private readonly rooms: Rooms,
    private readonly webhooks: WebhookSettingsService,
    private readonly clock: Clock,
  ) {}

  /** Only one's own, managers too. */
  of(actor: Actor, userId: string): Promise<SettingsUser> {
    if (userId !== actor.userId) throw notFound();
    return this.store.of(userId);
  }

  /** With the webhooks of the account, which are kept apart. */
  async all(actor: Actor, userId: string): Promise<ResponseOf<typeof settingsUser.get>> {
    return Object.assign(await this.of(actor, userId), await this.webhooks.of(actor));
  }

  /** The last change of a key wins. */
  async change(
    actor: Actor,
    userId: string,
    key: UserSettingKey,
    body: { value: unknown },
  ): Promise<SettingChange> {
    if (userId !== actor.userId) throw notFound();
    refuseImpersonated(actor);
    const { value } = parse(userSettingBody(key), body) as { value: unknown };
    if (isWebhookSetting(key)) {
      const stored = await this.webhooks.put(actor, key, value as WebhookSettingInput | null);
      return { key, value: stored, updatedAt: this.clock.now().toISOString() };
    }
    return this.db.transaction(async () => {
      const updatedAt = await this.write(userId, key, value);
      const change = { key, value, updatedAt: updatedAt.toISOString() };
      const { sessionId } = actor;
      this.db.afterCommit(() =>
        this.rooms.emit([Rooms.settings(userId)], 'settingsUser.updated', change, [
          Rooms.session(sessionId),
        ]),
      );
      return change;
    });
  }

  private async write(userId: string, key: UserSettingKey, value: unknown): Promise<Date> {
    if (value === null) return this.store.remove(userId, key);
    const updatedAt = await this.store.put(userId, key, value);
    if (key.startsWith('list.')) await this.quotas.check(LISTS_QUOTA, userId);
    return updatedAt;
  }
}
