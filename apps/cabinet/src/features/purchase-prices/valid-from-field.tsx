import { Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { localIso, MAX_LOCAL } from '../../core/time-zone.ts';
import { useFormats } from '../../core/use-formats.ts';
import { aroundQuery } from './purchase-prices.api.ts';

interface ValidFromFieldProps extends TextInputProps {
  channel: string;
  value: string;
}

/** From when prices apply, and until when: a list that is planned already ends them. */
export function ValidFromField({ channel, ...field }: ValidFromFieldProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useQuery({
    ...aroundQuery(channel, localIso(field.value)),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap={4}>
      <TextInput
        {...field}
        type="datetime-local"
        max={MAX_LOCAL}
        label={t('purchasePrices:validFrom')}
        description={t('purchasePrices:validFromHint')}
      />
      {data?.next && (
        <Text size="xs" role="status">
          {t('purchasePrices:until', { time: formats.dateTime(data.next.validFrom) })}
        </Text>
      )}
    </Stack>
  );
}
