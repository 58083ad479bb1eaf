import { Injectable } from '@nestjs/common';
import { MAX_ENTITIES, type Notification, type PersonEvents } from '@heliograph/contract';
import { notificationText, type NotificationType } from '@heliograph/domain';
import { Config } from './config.ts';
import { Db } from './db/db.ts';
import { Rooms } from './events/rooms.ts';
import { Sweeps } from './jobs/handlers.ts';
import { Retention } from './retention.ts';
import { uuidTime } from './uuid.ts';

export interface NotificationRow {
  id: string;
  UserId: string;
  type: NotificationType;
  channel: string;
  data: Record<string, unknown>;
  isRead: boolean;
  sentAt: Date | null;
  deliveredAt: Date | null;
  updatedAt: Date;
}

export interface NotificationOf {
  OwnerId: string;
  /** The account holder, unless given. */
  UserId?: string;
  data: Record<string, unknown>;
}

/** Writes notifications in the transaction of the event and emits them to the user's sockets after the commit. */
@Injectable()
export class Notifications {
  constructor(
    private readonly db: Db,
    private readonly rooms: Rooms,
    private readonly config: Config,
    private readonly retention: Retention,
  ) {}

  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('notifications', this.config.RETENTION_NOTIFICATIONS_DAYS);
  }

  /** Notifies the account holder, or a user of the account. `data` contains the values of the text. */
  notify(
    OwnerId: string,
    type: NotificationType,
    data: Record<string, unknown>,
    UserId = OwnerId,
  ): Promise<void> {
    return this.notifyAll(type, [{ OwnerId, UserId, data }]);
  }

  /** Several of one type. */
  async notifyAll(type: NotificationType, all: NotificationOf[]): Promise<void> {
    if (!all.length) return;
    const rows = await this.db.query<NotificationRow>(
      `insert into notifications (user_id, owner_id, type, data, sent_at)
       select n.user_id, n.owner_id, $3, n.data, now() from unnest($1::uuid[], $2::uuid[], $4::jsonb[]) as n(user_id, owner_id, data)
       returning id, user_id as "UserId", type, channel, data, is_read as "isRead", sent_at as "sentAt",
                 delivered_at as "deliveredAt", updated_at as "updatedAt"`,
      [
        all.map(({ UserId, OwnerId }) => UserId ?? OwnerId),
        all.map(({ OwnerId }) => OwnerId),
        type,
        all.map(({ data }) => JSON.stringify(data)),
      ],
    );
    for (const row of rows)
      this.emit(row.UserId, 'notifications.sent', { items: [presentNotification(row)] });
  }

  /** Updates the other sessions of the user. */
  emitRead(UserId: string, rows: NotificationRow[]): void {
    const body =
      rows.length > MAX_ENTITIES
        ? { groupId: null, count: rows.length }
        : { items: rows.map(presentNotification) };
    if (rows.length) this.emit(UserId, 'notifications.read', body);
  }

  private emit<E extends keyof PersonEvents>(userId: string, name: E, body: PersonEvents[E]): void {
    this.db.afterCommit(() => this.rooms.emit([Rooms.person(userId)], name, body));
  }
}

export function presentNotification(row: NotificationRow): Notification {
  return {
    id: row.id,
    type: row.type,
    ...notificationText(row.type, row.data),
    data: row.data,
    channel: row.channel,
    isRead: row.isRead,
    targetUserId: row.UserId,
    sentAt: row.sentAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    createdAt: uuidTime(row.id).toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
