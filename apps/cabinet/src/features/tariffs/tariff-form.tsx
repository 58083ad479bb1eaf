import {
  tariffs,
  type CatalogueTariff,
  type TariffRule,
  type VolumeStep,
} from '@heliograph/contract';
import { isSendingType, SENDING_TYPES } from '@heliograph/domain';
import {
  Box,
  Button,
  Checkbox,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { localIso, localTime, MAX_LOCAL } from '../../core/time-zone.ts';
import { IconUpload } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import type { Rule, TariffBody } from './catalogue.api.ts';
import type { StepValues } from './step-rows.tsx';
import { RuleRows, type EditedRule } from './rule-rows.tsx';
import { TariffProbe } from './tariff-probe.tsx';
import { TariffVersions } from './tariff-versions.tsx';

const PriceListDialog = later(
  async () => (await import('./price-list-dialog.tsx')).PriceListDialog,
);

const ComparisonDialog = later(
  async () => (await import('./comparison-dialog.tsx')).ComparisonDialog,
);

const RuleDialog = later(async () => (await import('./rule-dialog.tsx')).RuleDialog);

// Loaded after the rules: few tariffs have steps.
const StepRows = later(async () => (await import('./step-rows.tsx')).StepRows, <Box mih={60} />);

interface TariffFormProps {
  row: CatalogueTariff | null;
  submit: (body: TariffBody) => Promise<CatalogueTariff>;
  onDone: (saved: CatalogueTariff, startsAt: string | null) => void;
}

/** The word of a tariff that is not limited to a channel. */
const ANY = 'any';

const withoutId = ({ id: _, ...rule }: TariffRule): Rule => rule;

/** In the order in which they are tried: by priority, and among equals as they stand. */
const inOrder = (rules: Rule[]) => rules.toSorted((a, b) => b.priority - a.priority);

const valuesOf = (row: CatalogueTariff | null) => ({
  title: row?.title ?? '',
  source: row?.source ?? ANY,
  isDefault: row?.isDefault ?? false,
  rules: (row?.rules ?? []).map(withoutId),
  volumeSteps: stepValues(row?.volumeSteps ?? []),
  startsAt: '',
});

const stepValues = (steps: readonly VolumeStep[]): StepValues[] =>
  steps.map((step, key) => ({ key, ...step }));

/** What is not filled in is left to the schema, which names it. */
const stepsOf = (steps: readonly StepValues[]) =>
  steps.map(({ from, percent }) => ({ from, percent }) as VolumeStep);

/** A tariff with its rules; what it would price is tried beside it before it is saved. */
export function TariffForm({ row, submit, onDone }: TariffFormProps) {
  const { t } = useTranslation();
  const isReseller = useSettings().session.level === 'reseller';
  const form = useContractForm({
    initial: valuesOf(row),
    isEdit: !!row,
    schema: row ? tariffs.replace.body : tariffs.create.body,
    check: ({ startsAt }): Record<string, string> =>
      !startsAt || localTime(startsAt) > Date.now() ? {} : { startsAt: 'past' },
    toBody: ({ startsAt, ...values }): TariffBody => ({
      ...values,
      volumeSteps: stepsOf(values.volumeSteps),
      title: values.title.trim(),
      ...(startsAt && { startsAt: localIso(startsAt)! }),
    }),
    submit,
    onDone(saved, { startsAt }) {
      if (row) form.restart(valuesOf(saved));
      onDone(saved, startsAt ? localIso(startsAt) : null);
    },
  });
  const { values } = form;
  const [isReading, setReading] = useState(false);
  const [isComparing, setComparing] = useState(false);
  const [edited, setEdited] = useState<EditedRule | null>(null);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <ContractForm
        form={form}
        label={t('tariffCatalogue:detail')}
        footer={
          <FormFooter
            form={form}
            submit={t(row ? 'tariffCatalogue:save' : 'tariffCatalogue:create')}
          />
        }
      >
        <TextInput
          {...form.field('title')}
          label={t('tariffs:name')}
          required
          maxLength={50}
          autoComplete="off"
        />
        <NativeSelect
          {...form.field('source')}
          label={t('tariffs:source')}
          description={t(row ? 'tariffCatalogue:sourceFixed' : 'tariffCatalogue:sourceHint')}
          disabled={!!row}
          data={sourcesFor(values.source).map((value) => ({
            value,
            label: isSendingType(value)
              ? t(`common:type.${value}`)
              : t('tariffCatalogue:anyChannel'),
          }))}
        />
        {isReseller ? (
          <Text size="sm">{t('tariffCatalogue:ofReseller')}</Text>
        ) : (
          <Checkbox
            {...form.field('isDefault', { type: 'checkbox' })}
            label={t('tariffCatalogue:isDefault')}
            description={t('tariffCatalogue:isDefaultHint')}
          />
        )}
        <RuleRows
          rules={values.rules}
          source={values.source}
          field={form.field}
          onChange={(rules) => form.set({ rules })}
          onEdit={setEdited}
        >
          <Button
            variant="default"
            size="xs"
            leftSection={<IconUpload size={16} />}
            onClick={() => setReading(true)}
          >
            {t('tariffCatalogue:priceList.open')}
          </Button>
        </RuleRows>
        <StepRows
          steps={values.volumeSteps}
          field={form.field}
          onChange={(volumeSteps) => form.set({ volumeSteps })}
        />
        {row && (
          <TextInput
            {...form.field('startsAt')}
            type="datetime-local"
            max={MAX_LOCAL}
            label={t('tariffCatalogue:startsAt')}
            description={t('tariffCatalogue:startsAtHint')}
          />
        )}
      </ContractForm>

      <Stack gap="lg">
        <RuleDialog
          opened={!!edited}
          rule={edited?.rule ?? null}
          isNew={edited?.at === values.rules.length}
          source={values.source}
          onClose={() => setEdited(null)}
          onSave={(rule) => {
            if (edited) form.set({ rules: inOrder(values.rules.toSpliced(edited.at, 1, rule)) });
            setEdited(null);
          }}
        />
        <PriceListDialog
          opened={isReading}
          rules={values.rules}
          canStartLater={!!row}
          onClose={() => setReading(false)}
          onTake={(rules, from) => {
            form.set({ rules, startsAt: from ? `${from}T00:00` : '' });
            setReading(false);
          }}
        />
        <TariffProbe
          source={values.source}
          rules={values.rules}
          volumeSteps={stepsOf(values.volumeSteps)}
        />
        {row && (
          <Paper withBorder p="md" component="section" aria-labelledby="tariff-comparison">
            <Title order={2} size="h5" mb={4} id="tariff-comparison">
              {t('tariffCatalogue:compare.title')}
            </Title>
            <Text size="sm" c="dimmed" mb="sm">
              {t('tariffCatalogue:compare.text')}
            </Text>
            <Button variant="default" size="xs" onClick={() => setComparing(true)}>
              {t('tariffCatalogue:compare.open')}
            </Button>
            <ComparisonDialog
              opened={isComparing}
              row={row}
              rules={values.rules}
              onClose={() => setComparing(false)}
            />
          </Paper>
        )}
        {row && (
          <TariffVersions
            id={row.id}
            source={row.source}
            onTake={({ rules, volumeSteps }) =>
              form.set({ rules: rules.map(withoutId), volumeSteps: stepValues(volumeSteps) })
            }
          />
        )}
      </Stack>
    </SimpleGrid>
  );
}

/** Of a stored tariff, whose word may be another one, too. */
const sourcesFor = (source: string) => [isSendingType(source) ? ANY : source, ...SENDING_TYPES];
