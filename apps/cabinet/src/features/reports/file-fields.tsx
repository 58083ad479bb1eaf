import { REPORT_DELIMITERS, REPORT_ENCODINGS } from '@heliograph/contract';
import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BoundField } from '../../core/forms/form-state.ts';
import type { ReportChoices } from './report-choices.ts';

interface FileFieldsProps {
  form: { values: ReportChoices; field: (name: keyof ReportChoices) => BoundField };
}

/** How the file of a report is written. */
export function FileFields({ form }: FileFieldsProps) {
  const { t } = useTranslation();
  const { format } = form.values;
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <NativeSelect
        {...form.field('format')}
        label={t('reports:format')}
        data={[
          { value: 'csv', label: 'CSV' },
          { value: 'xlsx', label: 'XLSX (Excel)' },
        ]}
      />
      {format === 'csv' && (
        <>
          <NativeSelect
            {...form.field('encoding')}
            label={t('reports:encoding')}
            data={REPORT_ENCODINGS.map((value) => ({
              value,
              label: t(`reports:encodings.${value}`),
            }))}
          />
          <NativeSelect
            {...form.field('delimiter')}
            label={t('reports:delimiter')}
            data={REPORT_DELIMITERS.map((value) => ({
              value,
              label: t(value === ';' ? 'reports:semicolon' : 'reports:comma'),
            }))}
          />
        </>
      )}
    </SimpleGrid>
  );
}
