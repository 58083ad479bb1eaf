import { links } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { useFormats } from '../../../core/use-formats.ts';
import classes from '../form/picker.module.css';

const recentQuery = queryOptions({
  // Not a `find` key: socket events are merged into those, and this list is refetched instead.
  queryKey: keysOf('links').of('recent'),
  queryFn: ({ signal }) => api(links.find, { query: { limit: 5 }, signal }),
});

/** The short links that were made last and how often they were followed; one of them may be sent again. */
export function RecentLinks({ onInsert }: { onInsert: (link: string) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useQuery(recentQuery);
  if (!data?.data.length) return null;
  return (
    <section aria-label={t('send:utm.recent')}>
      <Text size="sm" fw={500} mb={4}>
        {t('send:utm.recent')}
      </Text>
      <ul className={classes.list}>
        {data.data.map(({ id, url, shortUrl, clicks }) => (
          <li key={id}>
            <button type="button" className={classes.option} onClick={() => onInsert(shortUrl)}>
              <Text span size="sm" truncate>
                {url.replace(/^https?:\/\//, '')}
              </Text>
              {clicks !== null && (
                <span className={classes.aside}>
                  {t('send:utm.clicks', { count: clicks, number: formats.number(clicks) })}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
