import type { StoredFile } from '@heliograph/contract';
import { NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { previewQuery } from './storage.api.ts';
import classes from './file-preview.module.css';

/** The first rows of a table, or the beginning of a text, as the server read it. */
export function ContentPreview({ file }: { file: StoredFile }) {
  const { t } = useTranslation();
  const [sheet, setSheet] = useState<string>();
  const { data, error } = useQuery(previewQuery(file.id, sheet));
  if (error)
    return (
      <Text size="sm" c="dimmed" role="status">
        {errorText(t, error)} {t('storage:preview.failed')}
      </Text>
    );
  if (!data) return <Skeleton height={120} />;
  const label = t('storage:preview.table', { title: file.title });
  return (
    <Stack gap="xs">
      {data.sheets.length > 1 && (
        <NativeSelect
          label={t('storage:preview.sheet')}
          data={data.sheets}
          value={data.sheet ?? undefined}
          onChange={(event) => setSheet(event.currentTarget.value)}
        />
      )}
      {/* A part that scrolls is reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.frame} tabIndex={0} role="region" aria-label={label}>
        {data.kind === 'text' && <pre className={classes.text}>{data.text}</pre>}
        {data.kind === 'table' && data.rows.length > 0 && (
          <table className={classes.table}>
            <tbody>
              {data.rows.map((row, y) => (
                // Rows have no identity and do not move.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={y}>
                  {row.map((cell, x) => (
                    // oxlint-disable-next-line react/no-array-index-key
                    <td key={x}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {data.kind === 'table' && data.rows.length === 0 && (
          <Text size="sm" p="xs">
            {t('storage:preview.empty')}
          </Text>
        )}
      </div>
      {data.isTruncated && (
        <Text size="xs" c="dimmed">
          {t('storage:preview.truncated')}
        </Text>
      )}
    </Stack>
  );
}
