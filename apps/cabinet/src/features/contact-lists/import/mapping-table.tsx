import type { ContactPreview } from '@heliograph/contract';
import type { ContactField } from '@heliograph/domain';
import { NativeSelect, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFieldName } from '../use-field-name.ts';
import { CONTACT_FIELDS, samplesOf, type Mapping } from './mapping.ts';
import classes from './mapping-table.module.css';

interface MappingTableProps {
  preview: ContactPreview;
  mapping: Mapping;
  /** Columns mapped to the same field as another one. */
  doubled: ReadonlySet<number>;
  onChange: (column: number, field: ContactField | null) => void;
}

/** The columns of the file: name, sample values and contact field. */
export function MappingTable({ preview, mapping, doubled, onChange }: MappingTableProps) {
  const { t } = useTranslation();
  const nameOf = useFieldName();
  const options = [
    { value: '', label: t('contactLists:mapping.leaveOut') },
    ...CONTACT_FIELDS.map((value) => ({ value, label: nameOf(value) })),
  ];
  return (
    <ul className={classes.columns} aria-label={t('contactLists:mapping.columns')}>
      {preview.columns.map(({ name }, column) => {
        const title = name || t('contactLists:mapping.column', { number: column + 1 });
        return (
          <li key={column} className={classes.column}>
            <div className={classes.what}>
              <Text size="sm" fw={600} truncate title={title}>
                {title}
              </Text>
              <Text size="sm" c="dimmed" truncate>
                {samplesOf(preview.rows, column).join(' · ') || t('contactLists:mapping.empty')}
              </Text>
            </div>
            <NativeSelect
              aria-label={t('contactLists:mapping.goesTo', { column: title })}
              value={mapping[column] ?? ''}
              onChange={(event) =>
                onChange(column, (event.currentTarget.value || null) as ContactField | null)
              }
              data={options}
              error={doubled.has(column) && t('contactLists:mapping.doubled')}
            />
          </li>
        );
      })}
    </ul>
  );
}
