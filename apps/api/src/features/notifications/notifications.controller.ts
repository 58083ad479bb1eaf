import { Controller } from '@nestjs/common';
import { notifications, type Answer } from '@heliograph/contract';
import { own, type Actor } from '../../core/auth/actor.ts';
import { Endpoint, Input, Who, type In } from '../../core/http/endpoint.ts';
import { Notifications, presentNotification } from '../../core/notifications.ts';
import { NotificationsStore } from './notifications.store.ts';

@Controller()
export class NotificationsController {
  constructor(
    private readonly store: NotificationsStore,
    private readonly notifications: Notifications,
  ) {}

  @Endpoint(notifications.find)
  async find(
    @Who() actor: Actor,
    @Input() { query }: In<typeof notifications.find>,
  ): Promise<Answer<typeof notifications.find>> {
    const page = await this.store.find(own(actor.userId), query);
    return { ...page, data: page.data.map(presentNotification) };
  }

  @Endpoint(notifications.readAll)
  async readAll(@Who() actor: Actor): Promise<Answer<typeof notifications.readAll>> {
    const rows = await this.store.read(own(actor.userId));
    this.notifications.hasRead(actor.userId, rows);
    return { read: rows.length };
  }

  @Endpoint(notifications.read)
  async read(
    @Who() actor: Actor,
    @Input() { params }: In<typeof notifications.read>,
  ): Promise<Answer<typeof notifications.read>> {
    const reach = own(actor.userId);
    this.notifications.hasRead(actor.userId, await this.store.read(reach, params.id));
    return presentNotification(await this.store.get(reach, params.id));
  }
}
