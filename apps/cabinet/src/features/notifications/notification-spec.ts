import { notifications, NotificationType } from '@heliograph/contract';
import { NOTIFICATION_CHANNELS } from '@heliograph/domain';
import { listSpec, manyOf, oneOf } from '../../list/state/list-spec.ts';

export const notificationSpec = listSpec(notifications.find, {
  filters: {
    type: manyOf(NotificationType.options),
    isRead: oneOf(['true', 'false']),
    channel: oneOf(NOTIFICATION_CHANNELS),
  },
  order: ['createdAt'],
  period: 'createdAt',
  search: true,
});
