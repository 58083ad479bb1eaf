import type { ContactPreview } from '@heliograph/contract';
import { Alert, Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportOrder } from '../contact-lists.api.ts';
import { ImportProgress } from './import-progress.tsx';
import { lacksKey, mappingOf, toColumns, withHeader, doubled } from './mapping.ts';
import { MappingTable } from './mapping-table.tsx';

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
  const [existing, setExisting] = useState<'update' | 'skip'>('update');
  const shown = withHeader(preview, hasHeader);
  const twice = doubled(mapping);
  const isEmpty = preview.columns.length === 0;
  const isLacking = lacksKey(mapping);
  const sheet = preview.sheet ?? undefined;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isReading || isLacking || twice.size) return;
    const columns = toColumns(mapping);
    order({ ListId: listId, from: { key: fileKey }, sheet, columns, hasHeader, existing });
  };

  return (
    <form onSubmit={onSubmit} noValidate>
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
