import type { FilePreview, StoredFile } from '@heliograph/contract';
import { NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useLast } from '../../core/use-last.ts';
import { previewQuery } from './storage.api.ts';
import classes from './file-preview.module.css';

/** The first rows of a table, or the beginning of a text, as the server read it. */
export function ContentPreview({ file }: { file: StoredFile }) {
  const { t } = useTranslation();
  const [sheet, setSheet] = useState<string>();
  const { data, error } = useQuery(previewQuery(file.id, sheet));
  // Of the sheet that was read last: another one may be readable where this one is not.
  const sheets = useLast(data?.sheets ?? [], !!data);
  return (
    <Stack gap="xs">
      {sheets.length > 1 && (
        <NativeSelect
          label={t('storage:preview.sheet')}
          data={sheets}
          value={sheet ?? data?.sheet ?? undefined}
          onChange={(event) => setSheet(event.currentTarget.value)}
        />
      )}
      {error ? (
        <Text size="sm" c="dimmed" role="status">
          {errorText(t, error)} {t('storage:preview.failed')}
        </Text>
      ) : data ? (
        <Content title={file.title} content={data} />
      ) : (
        <Skeleton height={120} />
      )}
    </Stack>
  );
}

function Content({ title, content: data }: { title: string; content: FilePreview }) {
  const { t } = useTranslation();
  const label = t('storage:preview.table', { title });
  return (
    <>
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
    </>
  );
}
