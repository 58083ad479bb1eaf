import type { OperationFile } from '@heliograph/contract';
import { OPERATION_FIELDS, type OperationField } from '@heliograph/domain';
import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { columnsOf, repeatedFields, type OperationMapping } from './operation-mapping.ts';

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
  const { t, i18n } = useTranslation();
  const repeated = repeatedFields(mapping);
  const names: Record<OperationField, string> = {
    account: t('operations:column.account'),
    amount: t('operations:column.amount'),
    comment: t('operations:column.comment'),
  };
  const titles = file.columns.map(
    ({ name }, i) => name || t('operations:column.number', { number: i + 1 }),
  );
  const columns = titles.map((title, i) => {
    const samples = file.rows.map((cells) => cells[i]).filter(Boolean);
    return { value: String(i), label: [title, ...samples.slice(0, SAMPLES)].join(' · ') };
  });
  const choose = { value: '', label: t('operations:column.choose') };
  const none = { value: 'null', label: t('operations:column.none') };
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' });
  const errorOf = (field: OperationField) => {
    if (repeated.has(field)) return t('operations:twice');
    const found = columnsOf(file, field);
    if (mapping[field] !== undefined || found.length < 2) return null;
    return t('operations:several', { columns: list.format(found.map((i) => `“${titles[i]}”`)) });
  };
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
            ...(field !== 'comment' || mapping.comment === undefined ? [choose] : []),
            ...(field === 'comment' ? [none] : []),
            ...columns,
          ]}
          value={mapping[field] === undefined ? '' : String(mapping[field])}
          onChange={(event) => {
            const { value } = event.currentTarget;
            const column = value === none.value ? null : Number(value);
            onMapping({ ...mapping, [field]: value === '' ? undefined : column });
          }}
          error={errorOf(field)}
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
