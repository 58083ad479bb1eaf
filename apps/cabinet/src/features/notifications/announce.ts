import type { Notification } from '@heliograph/contract';
import { notifications } from '@mantine/notifications';
import { createFormats } from '../../core/formats.ts';
import { i18n, loadTexts } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { settingsQuery } from '../../core/settings.ts';
import { colorOf, wordsOf } from './notification-words.ts';

/** Says what just came, to whoever looks at the cabinet. */
export async function announce(items: Notification[]): Promise<void> {
  await loadTexts(['notifications']);
  const currency = queryClient.getQueryData(settingsQuery.queryKey)?.billings.currency ?? 'RUB';
  const formats = createFormats(i18n.language, currency);
  for (const item of items.filter(({ channel }) => channel === 'web')) {
    const { title, lines } = wordsOf(i18n.t, formats, item);
    notifications.show({
      id: item.id,
      title,
      message: lines.join(' · '),
      color: colorOf(item),
      role: 'status',
      closeButtonProps: { 'aria-label': i18n.t('close') },
    });
  }
}
