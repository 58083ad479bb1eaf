import type { OperationFile } from '@heliograph/contract';
import { OPERATION_FIELDS, type OperationField } from '@heliograph/domain';
import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { repeatedFields, type OperationMapping } from './operation-mapping.ts';

interface OperationColumnsProps {
  file: OperationFile;
  mapping: OperationMapping;
  hasHeader: boolean;
  disabled: boolean;
  onMapping: (mapping: OperationMapping) => void;
  onHeader: (hasHeader: boolean) => void;
  onSheet: (sheet: string) => void;
}

/** Sample values that are shown of a column. */
const SAMPLES = 2;

/** Which columns hold account, amount and comment; recognised ones are chosen already. */
export function OperationColumnsStep(props: OperationColumnsProps) {
  const { file, mapping, hasHeader, disabled, onMapping, onHeader, onSheet } = props;
  const { t } = useTranslation();
  const repeated = repeatedFields(mapping);
  const names: Record<OperationField, string> = {
    account: t('operations:column.account'),
    amount: t('operations:column.amount'),
    comment: t('operations:column.comment'),
  };
  const columns = file.columns.map(({ name }, i) => {
    const samples = file.rows.map((cells) => cells[i]).filter(Boolean);
    const title = name || t('operations:column.number', { number: i + 1 });
    return { value: String(i), label: [title, ...samples.slice(0, SAMPLES)].join(' · ') };
  });
  return (
    <Stack>
      {file.sheets.length > 1 && (
        <NativeSelect
          label={t('operations:sheet')}
          data={file.sheets}
          value={file.sheet ?? undefined}
          onChange={(event) => onSheet(event.currentTarget.value)}
          disabled={disabled}
        />
      )}
      {OPERATION_FIELDS.map((field) => (
        <NativeSelect
          key={field}
          label={names[field]}
          required={field !== 'comment'}
          data={[
            {
              value: '',
              label: t(field === 'comment' ? 'operations:column.none' : 'operations:column.choose'),
            },
            ...columns,
          ]}
          value={mapping[field] ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            onMapping({ ...mapping, [field]: value === '' ? null : Number(value) });
          }}
          error={repeated.has(field) && t('operations:twice')}
          disabled={disabled}
        />
      ))}
      <Checkbox
        label={t('operations:hasHeader')}
        checked={hasHeader}
        onChange={(event) => onHeader(event.currentTarget.checked)}
        disabled={disabled}
      />
    </Stack>
  );
}
