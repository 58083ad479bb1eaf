import { MAX_STRETCH_HOURS } from '@heliograph/domain';
import { NativeSelect, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MAX_LOCAL, useTimeZone } from '../../../core/time-zone.ts';
import { useFieldError, useSendForm } from '../form/form-context.ts';

const HOURS = Array.from({ length: MAX_STRETCH_HOURS + 1 }, (_, n) => n);

export function ScheduleFields() {
  const { t } = useTranslation();
  const form = useSendForm();
  const errorOf = useFieldError();
  const { when, at, hours } = form.values;
  const changeWhen = (next: string) => {
    form.setFieldValue('when', next as typeof when);
    if (next === 'now') form.setFieldValue('at', '');
  };
  const zone = useTimeZone();
  return (
    <Stack>
      <Radio.Group label={t('send:whenLabel')} value={when} onChange={changeWhen}>
        <Stack gap="xs" mt="xs">
          <Radio value="now" label={t('send:now')} />
          <Radio value="later" label={t('send:later')} />
        </Stack>
      </Radio.Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {when === 'later' && (
          <TextInput
            type="datetime-local"
            max={MAX_LOCAL}
            label={t('send:at')}
            required
            value={at}
            data-field="at"
            onChange={(event) => form.setFieldValue('at', event.currentTarget.value)}
            error={errorOf('at')}
          />
        )}
        <NativeSelect
          label={t('send:stretch')}
          value={String(hours)}
          onChange={(event) => form.setFieldValue('hours', Number(event.currentTarget.value))}
          data={HOURS.map((n) => ({
            value: String(n),
            label: n ? t('send:hours', { count: n }) : t('send:noStretch'),
          }))}
          error={errorOf('hours')}
        />
      </SimpleGrid>
      {(when === 'later' || hours > 0) && (
        <Text size="xs" c="dimmed">
          {t('send:zone', { zone })}
        </Text>
      )}
    </Stack>
  );
}
