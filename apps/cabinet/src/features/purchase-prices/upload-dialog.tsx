import {
  PRICE_DIFFERENCES,
  purchasePrices,
  type Channel,
  type PurchasePriceListPreview,
} from '@heliograph/contract';
import {
  Alert,
  Button,
  Checkbox,
  NativeSelect,
  ScrollArea,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { localIso, MAX_LOCAL } from '../../core/time-zone.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { CurrencySelect } from '../../ui/currency-select.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldGrid } from '../../ui/field-grid.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import { FileSelect } from '../storage/file-select.tsx';
import { priceText, useDestinationNames } from './price-words.ts';
import { useCreateList, usePreview, type PreviewBody } from './purchase-prices.api.ts';

/** Files whose formulas are recognised. */
const TYPES = [
  'text/csv',
  'text/plain',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];
const EXTENSIONS = ['csv', 'xlsx', 'txt'];

interface UploadDialogProps {
  opened: boolean;
  channel: Pick<Channel, 'name' | 'types'>;
  /** Of its last list. */
  currency: string | undefined;
  onClose: () => void;
}

/** Reads a price list of a carrier, shows what it changes, and stores it. */
export function UploadDialog({ opened, channel, ...props }: UploadDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={opened}
      onClose={props.onClose}
      size={720}
      title={t('purchasePrices:uploadTitle', { name: channel.name })}
    >
      <Upload channel={channel} {...props} />
    </Dialog>
  );
}

function Upload({ channel, currency, onClose }: Omit<UploadDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const { billings } = useSettings();
  const { name, types } = channel;
  const read = usePreview(name);
  const [asked, setAsked] = useState({
    currency: currency ?? billings.currency,
    type: types[0] ?? ('sms' as const),
    isPartial: false,
  });
  const [body, setBody] = useState<PreviewBody | null>(null);
  const preview = (next: PreviewBody) => {
    setBody(next);
    read.mutate(next);
  };
  if (body && read.data)
    return (
      <Stack>
        {read.data.sheets.length > 1 && (
          <NativeSelect
            label={t('purchasePrices:sheet')}
            value={read.data.sheet ?? ''}
            data={read.data.sheets}
            disabled={read.isPending}
            onChange={(event) => preview({ ...body, sheet: event.currentTarget.value })}
          />
        )}
        <Preview preview={read.data} currency={body.currency} />
        <Save
          key={read.data.sheet}
          channel={name}
          preview={read.data}
          currency={body.currency}
          onBack={read.reset}
          onClose={onClose}
        />
      </Stack>
    );
  return (
    <Stack>
      <Text size="sm">{t('purchasePrices:uploadText')}</Text>
      <FieldGrid>
        <CurrencySelect
          label={t('purchasePrices:currency')}
          description={t('purchasePrices:currencyHint')}
          value={asked.currency}
          onChange={(code) => code && setAsked({ ...asked, currency: code })}
        />
        <NativeSelect
          label={t('purchasePrices:defaultType')}
          value={asked.type}
          data={types.map((value) => ({ value, label: t(`common:type.${value}`) }))}
          onChange={(event) =>
            setAsked({ ...asked, type: types.find((one) => one === event.currentTarget.value)! })
          }
        />
      </FieldGrid>
      <Checkbox
        label={t('purchasePrices:isPartial')}
        description={t('purchasePrices:isPartialHint')}
        checked={asked.isPartial}
        onChange={(event) => setAsked({ ...asked, isPartial: event.currentTarget.checked })}
      />
      {!!read.error && (
        <Alert color="red" role="alert">
          {errorText(t, read.error)}
        </Alert>
      )}
      <FileSelect
        preset="sheet"
        types={TYPES}
        extensions={EXTENSIONS}
        disabled={read.isPending}
        onPick={({ key }) => preview({ ...asked, from: { key } })}
      />
      <UploadProgress ratio={read.isPending ? 1 : null} then={t('purchasePrices:reading')} />
    </Stack>
  );
}

/** Of long lists, as many entries are named. */
const SHOWN = 10;
const CHANGES = [...PRICE_DIFFERENCES, 'unchanged'] as const;

interface PreviewProps {
  preview: PurchasePriceListPreview;
  currency: string;
}

function Preview({ preview, currency }: PreviewProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { prices, problems, refused, changes, differences } = preview;
  const different = PRICE_DIFFERENCES.reduce((sum, kind) => sum + changes[kind], 0);
  return (
    <>
      <div role="status">
        <Text size="sm">{t('purchasePrices:rows', { number: formats.number(prices.length) })}</Text>
        <Text size="sm">
          {CHANGES.filter((kind) => changes[kind] > 0)
            .map((kind) =>
              t(`purchasePrices:changes.${kind}`, { number: formats.number(changes[kind]) }),
            )
            .join(' · ')}
        </Text>
      </div>
      {refused > 0 && (
        <Alert
          color="yellow"
          title={t('purchasePrices:refused', { number: formats.number(refused) })}
        >
          <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: 'none' }}>
            {problems.slice(0, SHOWN).map(({ n, reason }) => (
              <Text component="li" size="sm" key={n}>
                {t('purchasePrices:row', {
                  number: formats.number(n),
                  reason: t(`purchasePrices:reasons.${reason}`),
                })}
              </Text>
            ))}
          </Stack>
        </Alert>
      )}
      {differences.length > 0 && <Differences differences={differences} currency={currency} />}
      {different > differences.length && (
        <Text size="xs" c="dimmed">
          {t('purchasePrices:shown', { number: formats.number(differences.length) })}
        </Text>
      )}
    </>
  );
}

interface DifferencesProps {
  differences: PurchasePriceListPreview['differences'];
  currency: string;
}

function Differences({ differences, currency }: DifferencesProps) {
  const { t } = useTranslation();
  const formats = useFormats(currency);
  const nameOf = useDestinationNames(differences.map(({ destination }) => destination));
  const hasTypes = new Set(differences.map(({ type }) => type)).size > 1;
  return (
    <ScrollArea.Autosize mah={300} type="auto" offsetScrollbars="y">
      <Table aria-label={t('purchasePrices:differences')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('purchasePrices:destination')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('purchasePrices:before')}
            </Table.Th>
            <Table.Th scope="col" ta="end">
              {t('purchasePrices:after')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ type, destination, before, after }) => {
            const text = (one: typeof before) =>
              one ? priceText({ type, ...one }, { t, formats }) : '–';
            return (
              <Table.Tr key={`${type} ${destination}`}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {hasTypes && `${t(`common:type.${type}`)}: `}
                  {nameOf(destination)}
                </Table.Td>
                <Table.Td ta="end" className="numeric">
                  {text(before)}
                </Table.Td>
                <Table.Td ta="end" className="numeric">
                  {text(after)}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}

interface SaveProps extends PreviewProps {
  channel: string;
  onBack: () => void;
  onClose: () => void;
}

function Save({ channel, preview, currency, onBack, onClose }: SaveProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useCreateList(channel);
  const form = useContractForm({
    initial: { validFrom: '' },
    schema: purchasePrices.create.body,
    toBody: ({ validFrom }) => ({
      currency,
      prices: preview.prices,
      ...(validFrom && { validFrom: localIso(validFrom)! }),
    }),
    texts: { 'validFrom.unique': 'purchasePrices:begun' },
    blockedBy: () => !preview.prices.length && t('purchasePrices:nothing'),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('purchasePrices:saved'));
      onClose();
    },
  });
  return (
    <ContractForm
      form={form}
      footer={
        <FormFooter form={form} submit={t('purchasePrices:save')} onCancel={onClose}>
          <Button variant="default" onClick={onBack} disabled={form.isPending}>
            {t('purchasePrices:otherFile')}
          </Button>
        </FormFooter>
      }
    >
      <TextInput
        {...form.field('validFrom')}
        type="datetime-local"
        max={MAX_LOCAL}
        label={t('purchasePrices:validFrom')}
        description={t('purchasePrices:validFromHint')}
      />
    </ContractForm>
  );
}
