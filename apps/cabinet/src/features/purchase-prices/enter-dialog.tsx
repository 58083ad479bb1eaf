import { purchasePrices, type Channel } from '@heliograph/contract';
import { Button, Checkbox, Fieldset, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import type { FieldTexts } from '../../core/forms/refused-text.tsx';
import { useSettings } from '../../core/settings.ts';
import { localIso } from '../../core/time-zone.ts';
import { showSuccess } from '../../core/toast.tsx';
import { CurrencySelect } from '../../ui/currency-select.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldGrid } from '../../ui/field-grid.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { useCreateList, type ListBody } from './purchase-prices.api.ts';
import { ValidFromField } from './valid-from-field.tsx';

interface EnterDialogProps {
  opened: boolean;
  channel: Pick<Channel, 'name' | 'types'>;
  /** Of its list in force, or the next one. */
  currency: string | undefined;
  onClose: () => void;
}

/** Single prices by hand; the others of the list in force are kept. */
export function EnterDialog({ opened, channel, ...props }: EnterDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={opened}
      onClose={props.onClose}
      size={600}
      title={t('purchasePrices:enterTitle', { name: channel.name })}
    >
      <EnterForm channel={channel} {...props} />
    </Dialog>
  );
}

const SCALE = 6;
/** Of one call: more are a file. */
const MAX_ROWS = 20;

interface Row {
  key: number;
  type: Channel['types'][number];
  destination: string;
  price: number | null;
  isByLength: boolean;
  first: number | null;
  interval: number | null;
}

const emptyRow = (key: number, type: Row['type']): Row => ({
  key,
  type,
  destination: '',
  price: null,
  isByLength: false,
  first: 60,
  interval: 1,
});

/** What is not filled in is left to the schema, which names it. Carriers write networks with a hyphen or a space. */
const priceOf = ({ type, destination, price, isByLength, first, interval }: Row) =>
  ({
    type,
    destination: destination.replaceAll(/[\s-]/g, '').toUpperCase(),
    price,
    ...(type === 'voice' && isByLength && { byLength: { first, interval } }),
  }) as ListBody['prices'][number];

const TEXTS: FieldTexts = {
  'validFrom.unique': 'purchasePrices:begun',
  'currency.unknown': 'purchasePrices:otherCurrency',
  ...Object.fromEntries(
    Array.from({ length: MAX_ROWS }, (_, i) => [
      [`prices.${i}.price.decimals`, 'purchasePrices:decimals'],
      [`prices.${i}.destination.unique`, 'purchasePrices:repeated'],
    ]).flat() as [string, string][],
  ),
};

function EnterForm({ channel, currency, onClose }: Omit<EnterDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const { billings } = useSettings();
  const { mutateAsync } = useCreateList(channel.name);
  const { types } = channel;
  const form = useContractForm({
    initial: {
      currency: currency ?? billings.currency,
      validFrom: '',
      prices: [emptyRow(0, types[0] ?? 'sms')],
    },
    schema: purchasePrices.create.body,
    names: {
      'prices.*.byLength.first': 'prices.*.first',
      'prices.*.byLength.interval': 'prices.*.interval',
    },
    texts: TEXTS,
    toBody: ({ currency: code, validFrom, prices }): ListBody => ({
      currency: code,
      prices: prices.map(priceOf),
      isPartial: true,
      ...(validFrom && { validFrom: localIso(validFrom)! }),
    }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('purchasePrices:saved'));
      onClose();
    },
  });
  const { prices } = form.values;
  const change = (at: number, patch: Partial<Row>) =>
    form.set({ prices: prices.map((row, i) => (i === at ? { ...row, ...patch } : row)) });
  const add = () => {
    const key = Math.max(...prices.map((row) => row.key)) + 1;
    form.set({ prices: [...prices, emptyRow(key, prices.at(-1)!.type)] });
  };
  return (
    <ContractForm form={form} submit={t('purchasePrices:save')} onCancel={onClose}>
      <Text size="sm">
        {t(currency ? 'purchasePrices:enterText' : 'purchasePrices:enterFirst')}
      </Text>
      {prices.map((row, i) => (
        <Fieldset key={row.key} legend={t('purchasePrices:number', { number: i + 1 })}>
          <FieldGrid cols={3}>
            <TextInput
              {...form.field(`prices.${i}.destination`)}
              label={t('purchasePrices:destination')}
              maxLength={16}
              autoComplete="off"
              spellCheck={false}
              required
            />
            <NativeSelect
              {...form.field(`prices.${i}.type`)}
              label={t('purchasePrices:type')}
              data={types.map((value) => ({ value, label: t(`common:type.${value}`) }))}
            />
            <NumberField
              {...form.field(`prices.${i}.price`)}
              value={row.price}
              label={t('purchasePrices:priceLabel')}
              scale={SCALE}
              min={0}
              unit={form.values.currency}
              required
            />
          </FieldGrid>
          {row.type === 'voice' && (
            <>
              <Checkbox
                mt="sm"
                label={t('purchasePrices:byLength')}
                description={t('purchasePrices:byLengthHint')}
                checked={row.isByLength}
                onChange={(event) => change(i, { isByLength: event.currentTarget.checked })}
              />
              {row.isByLength && (
                <FieldGrid>
                  <NumberField
                    {...form.field(`prices.${i}.first`)}
                    value={row.first}
                    label={t('purchasePrices:first')}
                    scale={0}
                    min={1}
                    required
                  />
                  <NumberField
                    {...form.field(`prices.${i}.interval`)}
                    value={row.interval}
                    label={t('purchasePrices:interval')}
                    scale={0}
                    min={1}
                    required
                  />
                </FieldGrid>
              )}
            </>
          )}
          {prices.length > 1 && (
            <Group justify="flex-end" mt="xs">
              <IconAction
                icon={IconTrash}
                label={t('purchasePrices:removeRow', { number: i + 1 })}
                onClick={() => form.set({ prices: prices.filter((_, at) => at !== i) })}
              />
            </Group>
          )}
        </Fieldset>
      ))}
      <Text size="xs" c="dimmed">
        {t('purchasePrices:destinationHint')}
      </Text>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={prices.length >= MAX_ROWS}
          onClick={add}
        >
          {t('purchasePrices:add')}
        </Button>
      </div>
      <FieldGrid>
        <CurrencySelect
          {...form.field('currency')}
          value={form.values.currency}
          label={t('purchasePrices:currency')}
        />
        <ValidFromField
          {...form.field('validFrom')}
          value={form.values.validFrom}
          channel={channel.name}
        />
      </FieldGrid>
    </ContractForm>
  );
}
