import type { Notification } from '@heliograph/contract';
import { createFormats } from '../../core/formats.ts';
import { i18n, loadTexts } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { isOwnResult } from '../../core/own-results.ts';
import { settingsQuery } from '../../core/settings.ts';
import { timeZone } from '../../core/time-zone.ts';
import { showNotice } from '../../core/toast.tsx';
import { colorOf, placeOf, summaryOf, wordsOf } from './notification-words.ts';

/** Not what this tab has shown as its own result; a pause with a reason is nobody's. */
const isAnnounced = async ({ type, channel, data }: Notification) =>
  channel === 'web' && (!!data.reason || !(await isOwnResult(type, data.id)));

/** Shows new notifications as toasts with a link; `go` opens a page. */
export async function announce(items: Notification[], go: (path: string) => void): Promise<void> {
  await loadTexts(['notifications']);
  const currency = queryClient.getQueryData(settingsQuery.queryKey)?.billings.currency ?? 'RUB';
  const formats = createFormats(i18n.language, currency, timeZone());
  for (const item of items) {
    if (!(await isAnnounced(item))) continue;
    const words = wordsOf(i18n.t, formats, item);
    const place = placeOf(item);
    showNotice({
      id: item.id,
      title: words.title,
      message: summaryOf(words),
      color: colorOf(item),
      act: place ? { label: i18n.t('notifications:open'), run: () => go(place) } : undefined,
    });
  }
}
