import {
  MAX_FIELD_TITLE,
  type ContactPreview,
  type ImportProgress as ImportEvent,
} from '@heliograph/contract';
import type { ContactField } from '@heliograph/domain';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  Radio,
  Stack,
  Text,
  Progress,
  NativeSelect,
} from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useSocketEvent } from '../../../core/realtime/socket-events.ts';
import { showError } from '../../../core/toast.tsx';
import { useFormats } from '../../../core/use-formats.ts';
import type { ImportOrder } from '../contact-lists.api.ts';
import classes from './mapping-table.module.css';
import { useNewFields, type NewFields } from './use-new-fields.ts';
import {
  lacksKey,
  mappingOf,
  toColumns,
  withHeader,
  doubled,
  CONTACT_FIELDS,
  samplesOf,
  type Mapping,
} from './mapping.ts';

interface ImportMappingProps {
  listId: string;
  fileKey: string;
  preview: ContactPreview;
  order: (order: ImportOrder) => void;
  isPending: boolean;
  /** Another sheet is loading; the previous one is still shown. */
  isReading: boolean;
  onBack: () => void;
}

/** The recognised format and columns, to correct before the import. */
export function ImportMapping(props: ImportMappingProps) {
  const { listId, fileKey, preview, order, isPending, isReading, onBack } = props;
  const { t } = useTranslation();
  const [mapping, setMapping] = useState(() => mappingOf(preview));
  const [hasHeader, setHasHeader] = useState(preview.hasHeader);
  const fields = useNewFields(listId, mapping);
  const [existing, setExisting] = useState<'update' | 'skip'>('update');
  const [phones, setPhones] = useState<'first' | 'each'>('first');
  const shown = withHeader(preview, hasHeader);
  const twice = doubled(mapping);
  const isEmpty = preview.columns.length === 0;
  const isLacking = lacksKey(mapping);
  const sheet = preview.sheet ?? undefined;

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isReading || isLacking || twice.size) return;
    const columns = toColumns(mapping);
    try {
      await fields.save();
    } catch (error) {
      return showError(error);
    }
    order({ ListId: listId, from: { key: fileKey }, sheet, columns, hasHeader, existing, phones });
  };

  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate>
      <Stack>
        {isLacking && (
          <Alert color="yellow" role="alert">
            {t(isEmpty ? 'contactLists:mapping.noRows' : 'contactLists:mapping.lacksKey')}
          </Alert>
        )}
        {!isEmpty && (
          <MappingTable
            preview={shown}
            mapping={mapping}
            doubled={twice}
            fields={fields}
            onChange={(column, field) => setMapping((now) => now.with(column, field))}
          />
        )}
        {preview.dateOrder && mapping.includes('date') && (
          <Text size="sm">{t(`contactLists:dateOrder.${preview.dateOrder}`)}</Text>
        )}
        <Checkbox
          label={t('contactLists:mapping.hasHeader')}
          checked={hasHeader}
          onChange={(event) => setHasHeader(event.currentTarget.checked)}
        />
        <Radio.Group
          label={t('contactLists:existing.label')}
          value={existing}
          onChange={(value) => setExisting(value as typeof existing)}
        >
          <Stack gap="xs" mt="xs">
            <Radio
              value="update"
              label={t('contactLists:existing.update')}
              description={t('contactLists:existing.updateHint')}
            />
            <Radio value="skip" label={t('contactLists:existing.skip')} />
          </Stack>
        </Radio.Group>
        {preview.several > 0 && (
          <Radio.Group
            label={t('contactLists:phones.label')}
            value={phones}
            onChange={(value) => setPhones(value as typeof phones)}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="first" label={t('contactLists:phones.first')} />
              <Radio value="each" label={t('contactLists:phones.each')} />
            </Stack>
          </Radio.Group>
        )}
        <div role="status">{isPending && <Text size="sm">{t('contactLists:importing')}</Text>}</div>
        {isPending && <ImportProgress listId={listId} fileKey={fileKey} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onBack} disabled={isPending}>
            {t('contactLists:anotherFile')}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={isReading || isLacking || twice.size > 0}
          >
            {t('contactLists:importSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ImportProgressProps {
  listId: string;
  fileKey: string;
}

/** Imported and remaining rows, by events of the server. */
function ImportProgress({ listId, fileKey }: ImportProgressProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [{ done, left }, setProgress] = useState<Pick<ImportEvent, 'done' | 'left'>>({
    done: 0,
    left: 0,
  });
  useSocketEvent('contacts.importing', (progress) => {
    if (progress.ListId === listId && progress.key === fileKey) setProgress(progress);
  });
  const rows = { done: formats.number(done), left: formats.number(left) };
  return (
    <div>
      {done > 0 && (
        <Text size="sm" c="dimmed" mb={6}>
          {t(left > 0 ? 'contactLists:progress.reading' : 'contactLists:progress.saving', rows)}
        </Text>
      )}
      <Progress
        value={left > 0 ? (done / (done + left)) * 100 : 100}
        animated={left === 0}
        aria-label={t('contactLists:progress.label')}
      />
    </div>
  );
}

interface MappingTableProps {
  preview: ContactPreview;
  mapping: Mapping;
  /** Columns mapped to the same field as another one. */
  doubled: ReadonlySet<number>;
  fields: NewFields;
  onChange: (column: number, field: ContactField | null) => void;
}

/** The value of the option that makes a field of a column. */
const NEW = 'new';

/** The columns of the file: name, sample values and contact field. */
function MappingTable({ preview, mapping, doubled, fields, onChange }: MappingTableProps) {
  const { t } = useTranslation();
  const { nameOf, isTaken, free, add } = fields;
  const options = [
    { value: '', label: t('contactLists:mapping.leaveOut') },
    ...CONTACT_FIELDS.map((value) => ({ value, label: nameOf(value) })),
  ];
  return (
    <ul className={classes.columns} aria-label={t('contactLists:mapping.columns')}>
      {preview.columns.map(({ name }, column) => {
        const title = name || t('contactLists:mapping.column', { number: column + 1 });
        const newName = name.trim().slice(0, MAX_FIELD_TITLE);
        const isNew = mapping[column] === null && newName && free && !isTaken(newName);
        const change = (value: string) => {
          if (value !== NEW) return onChange(column, (value || null) as ContactField | null);
          add(free!, newName);
          onChange(column, free!);
        };
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
              onChange={(event) => change(event.currentTarget.value)}
              data={
                isNew
                  ? [
                      ...options,
                      { value: NEW, label: t('contactLists:mapping.newField', { title: newName }) },
                    ]
                  : options
              }
              error={doubled.has(column) && t('contactLists:mapping.doubled')}
            />
          </li>
        );
      })}
    </ul>
  );
}
