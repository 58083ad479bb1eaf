import { TariffRuleInput, RULE_TAGS } from '@heliograph/contract';
import { MAX_CALL_INTERVAL } from '@heliograph/domain';
import { ActionIcon, Button, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { FieldGrid } from '../../ui/field-grid.tsx';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { useFormats } from '../../core/use-formats.ts';
import type { Rule } from './catalogue.api.ts';
import { ConditionValues } from './condition-values.tsx';
import { bodyOf, mayBeByLength, mayBeCalls, valuesOf } from './rule-values.ts';

interface RuleDialogProps {
  opened: boolean;
  rule: Rule | null;
  isNew: boolean;
  /** Of the tariff: a channel there holds for all its rules. */
  source: string;
  onSave: (rule: Rule) => void;
  onClose: () => void;
}

export function RuleDialog({ opened, rule, isNew, onClose, ...form }: RuleDialogProps) {
  const { t } = useTranslation();
  const last = useLast({ rule, isNew }, opened);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size={600}
      title={t(last?.isNew ? 'tariffCatalogue:newRule' : 'tariffCatalogue:ruleTitle')}
    >
      <RuleForm rule={last?.rule ?? null} onClose={onClose} {...form} />
    </Dialog>
  );
}

type RuleFormProps = Pick<RuleDialogProps, 'rule' | 'source' | 'onSave' | 'onClose'>;

/** Prices have four decimals at most. */
const SCALE = 4;

function RuleForm({ rule, source, onSave, onClose }: RuleFormProps) {
  const { t } = useTranslation();
  const unit = useFormats().currencySymbol;
  const isReseller = useSettings().session.level === 'reseller';
  const form = useContractForm({
    initial: valuesOf(rule),
    schema: TariffRuleInput,
    toBody: (values) => bodyOf(values, source),
    names: {
      'price.0': 'price',
      'price.1': 'perSecond',
      'byLength.first': 'first',
      'byLength.interval': 'interval',
      'conditions.*.value': 'conditions.*.values',
    },
    submit: async (body) => onSave(body),
  });
  const { values } = form;
  const { conditions } = values;
  const isCall = mayBeCalls(values, source);
  const free = RULE_TAGS.filter((tag) => !conditions.some((one) => one.tag === tag));
  const add = () =>
    form.set({ conditions: [...conditions, { key: Date.now(), tag: free[0]!, values: [] }] });
  return (
    <ContractForm
      form={form}
      footer={<FormFooter form={form} submit={t('tariffCatalogue:takeRule')} onCancel={onClose} />}
    >
      <FieldGrid>
        <NativeSelect
          {...form.field('action')}
          label={t('tariffCatalogue:action')}
          data={(['increase', 'decrease'] as const).map((value) => ({
            value,
            label: t(`tariffCatalogue:actions.${value}`),
          }))}
        />
        <NumberField
          {...form.field('priority')}
          value={values.priority}
          label={t('tariffs:priority')}
          description={t('tariffCatalogue:priorityHint')}
          scale={0}
          min={-1_000_000}
        />
        <NumberField
          {...form.field('price')}
          value={values.price}
          label={t(isCall ? 'tariffCatalogue:perCall' : 'tariffCatalogue:price')}
          scale={SCALE}
          min={0}
          unit={unit}
          required
        />
        {isCall && (
          <NumberField
            {...form.field('perSecond')}
            value={values.perSecond}
            label={t('tariffCatalogue:perSecond')}
            scale={SCALE}
            min={0}
            unit={unit}
          />
        )}
      </FieldGrid>
      {mayBeByLength(values, source) && (
        <Stack gap="xs" role="group" aria-label={t('tariffCatalogue:byLength')}>
          <Text size="sm" fw={600}>
            {t('tariffCatalogue:byLength')}
          </Text>
          <Text size="sm" c="dimmed">
            {t('tariffCatalogue:byLengthHint')}
          </Text>
          {isReseller && <Text size="sm">{t('tariffCatalogue:byLengthOfReseller')}</Text>}
          <FieldGrid>
            {(['first', 'interval'] as const).map((name) => (
              <NumberField
                key={name}
                {...form.field(name)}
                value={values[name]}
                label={t(
                  name === 'first' ? 'tariffCatalogue:firstInterval' : 'tariffCatalogue:interval',
                )}
                scale={0}
                min={1}
                max={MAX_CALL_INTERVAL}
              />
            ))}
          </FieldGrid>
        </Stack>
      )}
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {t('tariffCatalogue:conditions')}
        </Text>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} />}
          disabled={!free.length}
          onClick={add}
        >
          {t('tariffCatalogue:addCondition')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t(conditions.length ? 'tariffCatalogue:conditionsHint' : 'tariffCatalogue:noConditions')}
      </Text>
      <Stack>
        {conditions.map(({ key, tag, values: chosen }, at) => (
          <Group key={key} wrap="nowrap" align="flex-start" gap="xs">
            <SimpleGrid cols={{ base: 1, xs: 2 }} flex={1} spacing="xs">
              <NativeSelect
                label={t('tariffCatalogue:tag')}
                value={tag}
                onChange={(event) => {
                  const next = event.currentTarget.value as typeof tag;
                  const row = { key, tag: next, values: [] };
                  form.set({ conditions: conditions.toSpliced(at, 1, row) });
                }}
                data={[tag, ...free].map((value) => ({
                  value,
                  label: t(`tariffCatalogue:tags.${value}`),
                }))}
              />
              <ConditionValues
                tag={tag}
                value={chosen}
                {...form.field(`conditions.${at}.values`)}
              />
            </SimpleGrid>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt={24}
              aria-label={t('tariffCatalogue:removeCondition', {
                name: t(`tariffCatalogue:tags.${tag}`),
              })}
              onClick={() => form.set({ conditions: conditions.toSpliced(at, 1) })}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
    </ContractForm>
  );
}
