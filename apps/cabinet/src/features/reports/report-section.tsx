import type { ReportWhere } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { IconReport } from '../../ui/icons.ts';
import { ReportDialog } from './report-dialog-later.ts';

interface ReportSectionProps {
  /** What the list shows. */
  source?: 'sendings' | 'billings';
  where: ReportWhere;
  period: string;
  /** Where the list has no period: when that began which it shows. */
  since?: string;
}

/** A button that requests a report over the filter of a list. */
export function ReportSection(props: ReportSectionProps) {
  const { t } = useTranslation();
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  if (!can('reports.create')) return null;
  const open = () => {
    setLoaded(true);
    setOpen(true);
  };
  return (
    <>
      <Button variant="default" leftSection={<IconReport size={16} aria-hidden />} onClick={open}>
        {t('reports:button')}
      </Button>
      {isLoaded && <ReportDialog {...props} opened={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}
