import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withTexts } from '../../core/i18n/i18n.ts';
import { useCan } from '../../core/settings.ts';
import { later } from '../../ui/later.tsx';
import type { RecipientsFileProps } from './recipients-file.tsx';

const RecipientsFile = later(
  async () =>
    (await withTexts(['contactLists', 'storage'], () => import('./recipients-file.tsx')))
      .RecipientsFile,
);

/** A button that takes recipients out of a spreadsheet. */
export function RecipientsSelect(props: Omit<RecipientsFileProps, 'opened' | 'onClose'>) {
  const { t } = useTranslation();
  const can = useCan();
  const [opened, setOpened] = useState<boolean>();
  if (!can('contacts.create')) return null;
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => setOpened(true)}>
        {t('common:fromFile')}
      </Button>
      {opened !== undefined && (
        <RecipientsFile {...props} opened={opened} onClose={() => setOpened(false)} />
      )}
    </>
  );
}
