import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  WEBHOOK_SETTINGS,
  type WebhookSetting,
  type WebhookSettingInput,
  type WebhookSettingKey,
} from '@heliograph/contract';
import type { WebhookEvent } from '@heliograph/domain';
import { may, requireAll, type Actor } from '../../core/auth/actor.ts';
import { SettingsUserService, type OtherSettings } from '../settings-user/settings-user.service.ts';
import type { Webhook } from './webhook.entity.ts';
import { WebhooksService } from './webhooks.service.ts';
import { WebhooksStore } from './webhooks.store.ts';

/** Webhooks as settings of a user: of each event the one that was created first, with the permissions that `/webhooks` needs. */
@Injectable()
export class WebhookSettingsService
  implements OnModuleInit, OtherSettings<WebhookSettingKey, WebhookSettingInput>
{
  readonly prefix = 'webhooks.';

  constructor(
    private readonly personal: SettingsUserService,
    private readonly store: WebhooksStore,
    private readonly webhooks: WebhooksService,
  ) {}

  onModuleInit(): void {
    this.personal.add(this);
  }

  /** None for those who may not read webhooks. */
  async of(actor: Actor): Promise<Partial<Record<WebhookSettingKey, WebhookSetting>>> {
    if (!may(actor, 'webhooks.get')) return {};
    const rows = await this.store.firsts(actor.OwnerId);
    return Object.fromEntries(rows.map((row) => [keyOf(row.event), settingOf(row)]));
  }

  /** Null removes it. Its state, title and batches stay as they are. */
  async put(
    actor: Actor,
    key: WebhookSettingKey,
    value: WebhookSettingInput | null,
  ): Promise<WebhookSetting | null> {
    const row = await this.write(actor, eventOf(key), value);
    return row && settingOf(row);
  }

  private async write(
    actor: Actor,
    event: WebhookEvent,
    value: WebhookSettingInput | null,
  ): Promise<Webhook | null> {
    const { OwnerId } = actor;
    const found = await this.store.first(OwnerId, event);
    if (!value) {
      requireAll(actor, ['webhooks.remove']);
      if (found) await this.webhooks.remove(actor, found.id);
      return null;
    }
    const { extras, ...fields } = value;
    const changes = { ...fields, body: fields.body ?? null, statuses: extras?.statuses };
    if (found) {
      requireAll(actor, ['webhooks.update']);
      return this.webhooks.update(actor, found.id, changes);
    }
    requireAll(actor, ['webhooks.create']);
    const before = async () => {
      await this.store.lockFirst(OwnerId, event);
      if (await this.store.first(OwnerId, event)) throw new CreatedMeanwhile();
    };
    const input = { ...changes, title: event, event, batchSize: 1 };
    try {
      return (await this.webhooks.create(actor, input, 'url', before)).row;
    } catch (error) {
      if (error instanceof CreatedMeanwhile) return this.write(actor, event, value);
      throw error;
    }
  }
}

/** By another call, since this one has looked. */
class CreatedMeanwhile extends Error {}

const eventOf = (key: WebhookSettingKey): WebhookEvent =>
  WEBHOOK_SETTINGS[key.slice('webhooks.'.length) as keyof typeof WEBHOOK_SETTINGS];

/** The first name of the event. */
const keyOf = (event: WebhookEvent): WebhookSettingKey => {
  const names = Object.keys(WEBHOOK_SETTINGS) as (keyof typeof WEBHOOK_SETTINGS)[];
  return `webhooks.${names.find((name) => WEBHOOK_SETTINGS[name] === event)!}`;
};

const settingOf = (row: Webhook): WebhookSetting => ({
  url: row.url,
  method: row.method,
  headers: row.headers,
  body: row.body,
  maxConnections: row.maxConnections,
  successOn: row.successOn,
  extras: { statuses: row.statuses },
});
