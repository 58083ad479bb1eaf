import { Controller } from '@nestjs/common';
import { notifications, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../core/http/endpoint.ts';
import { Notifications, presentNotification } from '../../core/notifications.ts';
import { notificationScope, NotificationsStore } from './notifications.store.ts';

@Controller()
export class NotificationsController {
  constructor(
    private readonly store: NotificationsStore,
    private readonly notifications: Notifications,
  ) {}

  @Endpoint(notifications.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof notifications.find>,
  ): Promise<ResponseOf<typeof notifications.find>> {
    const page = await this.store.find(notificationScope(actor), query);
    return { ...page, data: page.data.map(presentNotification) };
  }

  @Endpoint(notifications.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof notifications.get>,
  ): Promise<ResponseOf<typeof notifications.get>> {
    return presentNotification(await this.store.get(notificationScope(actor), params.id));
  }

  @Endpoint(notifications.readAll)
  async readAll(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof notifications.readAll>> {
    const rows = await this.store.read(notificationScope(actor));
    this.notifications.emitRead(actor.userId, rows);
    return { read: rows.length };
  }

  @Endpoint(notifications.read)
  async read(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof notifications.read>,
  ): Promise<ResponseOf<typeof notifications.read>> {
    const scope = notificationScope(actor);
    this.notifications.emitRead(actor.userId, await this.store.read(scope, params.id));
    return presentNotification(await this.store.get(scope, params.id));
  }
}
