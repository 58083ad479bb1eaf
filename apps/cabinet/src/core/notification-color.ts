import { notificationTone, type NotificationType } from '@heliograph/domain';

const TONE_COLOR = {
  success: 'green',
  error: 'red',
  info: 'blue',
  neutral: 'gray',
} as const;

/** The colour in which a type of notifications is shown. */
export const notificationColor = (type: NotificationType) => TONE_COLOR[notificationTone(type)];
