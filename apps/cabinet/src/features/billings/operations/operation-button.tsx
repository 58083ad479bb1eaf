import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withTexts } from '../../../core/i18n/i18n.ts';
import { useCan, useSettings } from '../../../core/settings.ts';
import { IconUpload } from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';

const OperationDialog = later(
  async () =>
    (await withTexts(['operations', 'storage', 'tasks'], () => import('./operation-dialog.tsx')))
      .OperationDialog,
);

/** Opens a bulk operation, for managers who may change the balances of their customers. */
export function OperationButton() {
  const { t } = useTranslation();
  const can = useCan();
  const { processChildrenOperations } = useSettings().billings;
  const [opened, setOpened] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  if (!can('billings.generate', 'managerUp') || !processChildrenOperations) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconUpload size={16} aria-hidden />}
        onClick={() => {
          setLoaded(true);
          setOpened(true);
        }}
      >
        {t('billings:operation')}
      </Button>
      {isLoaded && <OperationDialog opened={opened} onClose={() => setOpened(false)} />}
    </>
  );
}
