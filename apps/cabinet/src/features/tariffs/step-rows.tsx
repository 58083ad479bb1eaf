import type { VolumeStep } from '@heliograph/contract';
import { MAX_VOLUME_STEPS } from '@heliograph/domain';
import { ActionIcon, Box, Button, Group, Input, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BoundField } from '../../core/forms/form-state.ts';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { NumberField } from '../../ui/number-field.tsx';

/** A step as a form has it. */
export type StepValues = { key: number } & { [Name in keyof VolumeStep]: VolumeStep[Name] | null };

interface StepRowsProps {
  steps: StepValues[];
  field: (path: string) => BoundField;
  onChange: (steps: StepValues[]) => void;
}

/** The volume steps of a tariff: from how many messages of a month on prices are how much lower. */
export function StepRows({ steps, field, onChange }: StepRowsProps) {
  const { t } = useTranslation();
  const add = () => onChange([...steps, { key: Date.now(), from: null, percent: null }]);
  const { error } = field('volumeSteps');
  return (
    <Box component="section" aria-labelledby="tariff-steps" data-path="volumeSteps">
      <Group justify="space-between" mb="xs">
        <Text fw={600} size="sm" id="tariff-steps">
          {t('tariffs:steps.title')}
        </Text>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} />}
          disabled={steps.length >= MAX_VOLUME_STEPS}
          onClick={add}
        >
          {t('tariffCatalogue:steps.add')}
        </Button>
      </Group>
      {error && <Input.Error>{error}</Input.Error>}
      <Text size="sm" c="dimmed">
        {t(steps.length ? 'tariffs:steps.hint' : 'tariffCatalogue:steps.none')}
      </Text>
      <Stack gap="xs" mt={steps.length ? 'xs' : 0}>
        {steps.map(({ key, from, percent }, at) => (
          <Group key={key} wrap="nowrap" align="flex-start" gap="xs">
            <NumberField
              {...field(`volumeSteps.${at}.from`)}
              value={from}
              label={t('tariffCatalogue:steps.from')}
              scale={0}
              min={1}
              flex={1}
              required
            />
            <NumberField
              {...field(`volumeSteps.${at}.percent`)}
              value={percent}
              label={t('tariffCatalogue:steps.percent')}
              min={0.01}
              max={99.99}
              unit="%"
              flex={1}
              required
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt={24}
              aria-label={t('tariffCatalogue:steps.remove', { number: at + 1 })}
              onClick={() => onChange(steps.toSpliced(at, 1))}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
    </Box>
  );
}
