import {
  PRICE_DIFFERENCES,
  purchasePrices,
  type Channel,
  type PurchasePriceListPreview,
} from '@heliograph/contract';
import {
  Alert,
  Box,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  ScrollArea,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, groupByField } from '../../core/errors.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { RefusedText, type FieldTexts } from '../../core/forms/refused-text.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { localIso } from '../../core/time-zone.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { CurrencySelect } from '../../ui/currency-select.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldGrid } from '../../ui/field-grid.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import { FileSelect } from '../storage/file-select.tsx';
import { priceText, useDestinationNames } from './price-words.ts';
import { useCreateList, usePreview, type PreviewBody } from './purchase-prices.api.ts';
import { ValidFromField } from './valid-from-field.tsx';

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
  /** Of its list in force, or the next one. */
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
      size={800}
      title={t('purchasePrices:uploadTitle', { name: channel.name })}
    >
      <Upload channel={channel} {...props} />
    </Dialog>
  );
}

const TEXTS: FieldTexts = {
  'currency.unknown': 'purchasePrices:otherCurrency',
  'validFrom.unique': 'purchasePrices:begun',
};

function Upload({ channel, currency, onClose }: Omit<UploadDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const { billings } = useSettings();
  const { name, types } = channel;
  const { mutate, isPending, error, reset } = usePreview(name);
  const [asked, setAsked] = useState({
    currency: currency ?? billings.currency,
    type: types[0] ?? ('sms' as const),
    isPartial: false,
    validFrom: '',
  });
  const [body, setBody] = useState<PreviewBody | null>(null);
  /** The last one, also while another sheet is read. */
  const [preview, setPreview] = useState<PurchasePriceListPreview | null>(null);
  const check = (next: PreviewBody) => {
    setBody(next);
    mutate(next, { onSuccess: setPreview });
  };
  const pick = (key: string) => {
    const validFrom = localIso(asked.validFrom);
    check({ ...asked, from: { key }, validFrom: validFrom ?? undefined });
  };
  const change = (patch: Partial<typeof asked>) => {
    setAsked({ ...asked, ...patch });
    if (error) reset();
  };
  const back = () => {
    setPreview(null);
    reset();
  };
  if (body && preview)
    return (
      <Stack>
        {preview.sheets.length > 1 && (
          <NativeSelect
            label={t('purchasePrices:sheet')}
            value={body.sheet ?? preview.sheet ?? ''}
            data={preview.sheets}
            disabled={isPending}
            onChange={(event) => check({ ...body, sheet: event.currentTarget.value })}
          />
        )}
        {error ? (
          <>
            <Alert color="red" role="alert">
              {errorText(t, error)}
            </Alert>
            <Group>
              <Button variant="default" onClick={back}>
                {t('purchasePrices:otherFile')}
              </Button>
            </Group>
          </>
        ) : (
          <Box inert={isPending} aria-busy={isPending} opacity={isPending ? 0.5 : 1}>
            <Stack>
              <Preview preview={preview} currency={body.currency} />
              <Save
                key={preview.sheet}
                channel={name}
                preview={preview}
                asked={body}
                onBack={back}
                onClose={onClose}
              />
            </Stack>
          </Box>
        )}
      </Stack>
    );
  const { marked } = groupByField(fieldErrors(error), (path) => (path in asked ? path : null));
  const refused = (field: keyof typeof asked) => {
    const problems = marked.get(field);
    return problems && <RefusedText field={field} refused={problems} texts={TEXTS} />;
  };
  return (
    <Stack>
      <Text size="sm">{t('purchasePrices:uploadText')}</Text>
      <FieldGrid>
        <CurrencySelect
          label={t('purchasePrices:currency')}
          description={t('purchasePrices:currencyHint')}
          value={asked.currency}
          error={refused('currency')}
          onChange={(code) => code && change({ currency: code })}
        />
        <NativeSelect
          label={t('purchasePrices:defaultType')}
          value={asked.type}
          data={types.map((value) => ({ value, label: t(`common:type.${value}`) }))}
          onChange={(event) =>
            change({ type: types.find((one) => one === event.currentTarget.value)! })
          }
        />
      </FieldGrid>
      <ValidFromField
        channel={name}
        value={asked.validFrom}
        error={refused('validFrom')}
        onChange={(event) => change({ validFrom: event.currentTarget.value })}
      />
      <Checkbox
        label={t('purchasePrices:isPartial')}
        description={t('purchasePrices:isPartialHint')}
        checked={asked.isPartial}
        onChange={(event) => change({ isPartial: event.currentTarget.checked })}
      />
      {!!error && !marked.size && (
        <Alert color="red" role="alert">
          {errorText(t, error)}
        </Alert>
      )}
      <FileSelect
        preset="sheet"
        types={TYPES}
        extensions={EXTENSIONS}
        disabled={isPending}
        onPick={({ key }) => pick(key)}
      />
      <UploadProgress ratio={isPending ? 1 : null} then={t('purchasePrices:reading')} />
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

interface SaveProps {
  channel: string;
  preview: PurchasePriceListPreview;
  /** What the preview was made with. */
  asked: PreviewBody;
  onBack: () => void;
  onClose: () => void;
}

function Save({ channel, preview, asked, onBack, onClose }: SaveProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { mutateAsync } = useCreateList(channel);
  const { currency, validFrom, isPartial } = asked;
  const form = useContractForm({
    initial: {},
    schema: purchasePrices.create.body,
    // What is kept may have changed since the preview: it is added when the list is stored.
    toBody: () => ({ currency, validFrom, isPartial, prices: preview.fromFile }),
    blockedBy: () => !preview.fromFile.length && t('purchasePrices:nothing'),
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
      <Text size="sm">
        {validFrom
          ? t('purchasePrices:since', { time: formats.dateTime(validFrom) })
          : t('purchasePrices:atOnce')}
      </Text>
    </ContractForm>
  );
}
