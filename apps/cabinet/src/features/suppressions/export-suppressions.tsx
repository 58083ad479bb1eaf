import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { IconDownload } from '../../ui/icons.ts';
import { saveText } from '../../ui/save-text.ts';
import { csvOf } from './suppression-values.ts';
import { allSuppressions } from './suppressions.api.ts';

/** Downloads all rows as a file for Excel. */
export function ExportSuppressions({ OwnerId }: { OwnerId: string }) {
  const { t } = useTranslation();
  const { mutate, isPending } = useMutationOnce({
    mutationFn: () => allSuppressions(OwnerId),
    onSuccess: (rows) =>
      saveText(
        'unsubscribed.csv',
        csvOf(rows, {
          header: [
            t('suppressions:address'),
            t('suppressions:covers'),
            t('suppressions:reasonLabel'),
            t('suppressions:note'),
            t('suppressions:since'),
          ],
          typeOf: ({ type }) => (type ? t(`common:type.${type}`) : t('suppressions:allTypes')),
          reasonOf: ({ reason }) => t(`suppressions:reason.${reason}`),
        }),
        'text/csv;charset=utf-8',
      ),
    meta: { invalidates: [] },
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {t('suppressions:export')}
    </Button>
  );
}
