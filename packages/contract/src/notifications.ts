import * as z from 'zod';
import { NOTIFICATION_TYPES } from '@heliograph/domain';
import { endpoint, ById } from './endpoint.ts';
import { Id, QueryBoolean, text, Time, many } from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';

export const NotificationType = z.enum(NOTIFICATION_TYPES);

export const Notification = z.object({
  id: Id,
  type: NotificationType,
  /** In English. The cabinet translates it by `type` and `data`. */
  title: z.string(),
  text: z.string(),
  data: z.record(z.string(), z.unknown()),
  channel: z.string(),
  /** Why it could not be sent over its channel. */
  error: z.string().nullable(),
  isRead: z.boolean(),
  targetUserId: Id,
  sentAt: Time.nullable(),
  deliveredAt: Time.nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type Notification = z.infer<typeof Notification>;

export const notifications = {
  find: endpoint('GET', '/notifications', {
    query: listQuery({
      order: ['createdAt'],
      filter: {
        id: Id,
        type: many(NotificationType),
        isRead: QueryBoolean,
        channel: text(40),
      },
      range: ['createdAt'],
      search: true,
      limit: 10,
    }),
    response: page(Notification),
    can: 'notifications.get',
    summary: 'List notifications, newest first',
  }),
  get: endpoint('GET', '/notifications/:id', {
    params: ById,
    query: Scoped,
    response: Notification,
    can: 'notifications.get',
  }),
  read: endpoint('PATCH', '/n/notifications/:id/read', {
    summary: 'Mark a notification as read',
    params: ById,
    response: Notification,
    can: 'notifications.get',
  }),
  readAll: endpoint('PATCH', '/n/notifications/read', {
    summary: 'Mark all notifications as read',
    response: z.object({ read: z.int() }),
    can: 'notifications.get',
  }),
};
