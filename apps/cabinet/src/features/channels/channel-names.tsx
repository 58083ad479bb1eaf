import {
  channelSendernames,
  MAX_NAMES_A_CALL,
  SendernameType,
  type Channel,
  type ChannelSendername,
  type ChannelSendernamesAdded,
  type RegistrationResult,
} from '@heliograph/contract';
import {
  Alert,
  Button,
  Group,
  List,
  NativeSelect,
  Stack,
  Table,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { FieldGrid } from '../../ui/field-grid.tsx';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { FIND_DEBOUNCE_MS } from '../../core/list-request.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { PageButtons } from '../../ui/page-buttons.tsx';
import { namesQuery, NAMES_PER_PAGE, useAddNames, useRemoveName } from './channels.api.ts';

/** Those that are shown with their names. */
const REFUSED: readonly RegistrationResult[] = ['invalid', 'full'];
const MAX_SHOWN = 20;

/** The sender names that are registered at a channel. */
export function ChannelNames({ row }: { row: Channel }) {
  const { t } = useTranslation();
  const can = useCan();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), FIND_DEBOUNCE_MS);
  const [page, setPage] = useState(1);
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<ChannelSendername | null>(null);
  const { data, error, refetch } = useQuery({
    ...namesQuery(row.name, search, page),
    placeholderData: keepPreviousData,
  });
  const mayUpdate = can('channels.update');
  const total = data?.total ?? 0;
  return (
    <section aria-labelledby="channel-names">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" id="channel-names">
          {t('channels:names.title')}
        </Title>
        {mayUpdate && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            {t('channels:names.add')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t(row.needsRegistration ? 'channels:names.only' : 'channels:names.any')}
      </Text>
      {(total > NAMES_PER_PAGE || typed) && (
        <TextInput
          aria-label={t('channels:names.search')}
          placeholder={t('channels:names.search')}
          value={typed}
          maxLength={200}
          mb="sm"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setPage(1);
          }}
        />
      )}
      {error ? (
        <ErrorCard
          title={t('channels:names.failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data && !data.data.length ? (
        <Text size="sm">{t(search ? 'channels:names.noneFound' : 'channels:names.none')}</Text>
      ) : (
        data && (
          <>
            <Names rows={data.data} onRemove={mayUpdate ? setRemoved : undefined} />
            <PageButtons
              page={page}
              pages={Math.ceil(total / NAMES_PER_PAGE)}
              previous={t('channels:names.previous')}
              next={t('channels:names.next')}
              place={t('channels:names.place', {
                from: data.offset + 1,
                to: data.offset + data.data.length,
                total,
              })}
              onChange={setPage}
              mt="sm"
            />
          </>
        )
      )}
      <AddNames row={row} opened={isAdding} onClose={() => setAdding(false)} />
      <RemoveName row={removed} onClose={() => setRemoved(null)} />
    </section>
  );
}

interface NamesProps {
  rows: ChannelSendername[];
  onRemove: ((row: ChannelSendername) => void) | undefined;
}

function Names({ rows, onRemove }: NamesProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Table.ScrollContainer minWidth={360}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('channels:names.name')}</Table.Th>
            <Table.Th scope="col">{t('channels:names.type')}</Table.Th>
            <Table.Th scope="col">{t('channels:names.since')}</Table.Th>
            <Table.Th scope="col">{t('channels:names.note')}</Table.Th>
            {onRemove && <Table.Td />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>{row.name}</Table.Td>
              <Table.Td>{t(`channels:names.kind.${row.type}`)}</Table.Td>
              <Table.Td>
                <time dateTime={row.since}>{formats.dateTime(row.since)}</time>
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{row.note}</Table.Td>
              {onRemove && (
                <Table.Td ta="end">
                  <IconAction
                    icon={IconTrash}
                    label={t('channels:names.remove', { name: row.name })}
                    onClick={() => onRemove(row)}
                  />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RemoveNameProps {
  row: ChannelSendername | null;
  onClose: () => void;
}

function RemoveName({ row, onClose }: RemoveNameProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useRemoveName();
  const name = row?.name ?? '';
  return (
    <ConfirmDialog
      opened={!!row}
      title={t('channels:names.removeQuestion', { name })}
      action={t('channels:names.remove', { name })}
      busy={isPending}
      onClose={onClose}
      onConfirm={() =>
        row &&
        mutate(row, {
          onSuccess() {
            showSuccess(t('channels:names.removed', { name }));
            onClose();
          },
        })
      }
    >
      {t('channels:names.removeText')}
    </ConfirmDialog>
  );
}

interface AddNamesProps {
  row: Channel;
  opened: boolean;
  onClose: () => void;
}

function AddNames({ row: { name }, opened, onClose }: AddNamesProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('channels:names.addTitle', { name })}
      size={600}
    >
      <AddForm channel={name} onClose={onClose} />
    </Dialog>
  );
}

/** The names of a text, one in a line. */
const namesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || []);

function AddForm({ channel, onClose }: { channel: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useAddNames(channel);
  const [added, setAdded] = useState<ChannelSendernamesAdded | null>(null);
  const form = useContractForm({
    initial: { names: '', type: 'sms' as ChannelSendername['type'], since: '', note: '' },
    schema: channelSendernames.add.body,
    // Of a wrong name its field is that of all.
    names: { 'names.*': 'names' },
    check: ({ names }) => (namesOf(names).length > MAX_NAMES_A_CALL ? { names: 'too_many' } : {}),
    toBody: ({ names, type, since, note }) => ({
      names: namesOf(names),
      type,
      // The day begins here.
      ...(since && { since: new Date(`${since}T00:00`).toISOString() }),
      ...(note.trim() && { note: note.trim() }),
    }),
    repeats: true,
    submit: mutateAsync,
    onDone(result) {
      setAdded(result);
      const isRefused = result.results.some((one) => REFUSED.includes(one.result));
      // What was not added stays, to be corrected.
      const left = result.results.filter((one) => REFUSED.includes(one.result));
      form.set({ names: left.map((one) => one.name).join('\n') });
      if (isRefused) return;
      showSuccess(countsText(t, result));
      onClose();
    },
  });
  return (
    <ContractForm
      form={form}
      footer={
        <FormFooter
          form={form}
          submit={t('channels:names.submit')}
          cancel={t('common:close')}
          onCancel={onClose}
        />
      }
    >
      <Textarea
        {...form.field('names')}
        label={t('channels:names.list')}
        description={t('channels:names.listHint')}
        required
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        data-autofocus
      />
      <FieldGrid>
        <NativeSelect
          {...form.field('type')}
          label={t('channels:names.type')}
          data={SendernameType.options.map((value) => ({
            value,
            label: t(`channels:names.kind.${value}`),
          }))}
        />
        <TextInput
          {...form.field('since')}
          label={t('channels:names.since')}
          description={t('channels:names.sinceHint')}
          type="date"
        />
      </FieldGrid>
      <TextInput {...form.field('note')} label={t('channels:names.note')} maxLength={300} />
      <div role="status">{added && <Results added={added} />}</div>
    </ContractForm>
  );
}

type Translate = ReturnType<typeof useTranslation>['t'];

/** How many names had each result, in the order in which the results came. */
function countsText(t: Translate, { results }: ChannelSendernamesAdded): string {
  const counts = Map.groupBy(results, ({ result }) => result);
  return [...counts]
    .map(([result, { length }]) => t(`channels:names.results.${result}`, { number: length }))
    .join(' · ');
}

/** What became of the names of a call, with those that were not added. */
function Results({ added }: { added: ChannelSendernamesAdded }) {
  const { t } = useTranslation();
  const refused = added.results.filter(({ result }) => REFUSED.includes(result));
  return (
    <Alert color={refused.length ? 'yellow' : 'green'}>
      <Stack gap="xs">
        <Text size="sm">{countsText(t, added)}</Text>
        {refused.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {t('channels:names.refused')}
            </Text>
            <List size="sm">
              {refused.slice(0, MAX_SHOWN).map(({ name }, i) => (
                <List.Item key={`${i} ${name}`}>{name}</List.Item>
              ))}
            </List>
          </div>
        )}
      </Stack>
    </Alert>
  );
}
