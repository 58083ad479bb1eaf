import type { INestApplicationContext } from '@nestjs/common';
import { NotificationDelivery } from '../src/features/notifications/notification-delivery.service.ts';
import { TelegramBotService } from '../src/features/notifications/telegram/telegram-bot.service.ts';
import type { Person, World } from './world.ts';

/** The services of a world that run in workers, called by a test. */
export const serviceOf = <T>(
  app: INestApplicationContext,
  service: new (...dependencies: never[]) => T,
): T => app.get(service as never, { strict: false });

export interface StoredNotification {
  type: string;
  channel: string;
  data: Record<string, unknown>;
  error: string | null;
  isSent: boolean;
}

/** All notifications of a user, oldest first. */
export const notificationsOf = (world: World, { id }: Pick<Person, 'id'>, channel?: string) =>
  world.db.query<StoredNotification>(
    `select type, channel, data, error, sent_at is not null as "isSent" from notifications
      where user_id = $1 and ($2::text is null or channel = $2) order by id`,
    [id, channel ?? null],
  );

/** Gives the user a confirmed address. */
export const withEmail = (world: World, { id }: Pick<Person, 'id'>, address: string) =>
  world.db.query(
    `update users set data = data || jsonb_build_object('email', $2::text), email_confirmed_at = now() where id = $1`,
    [id, address],
  );

/** Sends what is due, as a worker does. */
export async function deliver(world: World): Promise<void> {
  const delivery = serviceOf(world.api, NotificationDelivery);
  await delivery.deliver({ channel: 'telegram' });
  await delivery.deliver({ channel: 'email' });
}
export const poll = (world: World): Promise<boolean> =>
  serviceOf(world.api, TelegramBotService).poll();
