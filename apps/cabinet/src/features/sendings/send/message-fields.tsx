import type { SendingType } from '@heliograph/contract';
import { NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SendernameSelect } from '../../sendernames/sendername-select.tsx';
import { useFieldError, useSendForm } from './form-context.ts';
import { SegmentMeter } from './segment-meter.tsx';
import { useFormTypes } from './use-form-types.ts';

/** Channel, sender and text: of the message itself (`''`), or of a fallback (`'fallbacks.0.'`). */
export function MessageFields({ prefix = '' }: { prefix?: string }) {
  const { t } = useTranslation();
  const form = useSendForm();
  const errorOf = useFieldError();
  const types = useFormTypes();
  const index = prefix ? Number(prefix.split('.')[1]) : null;
  const message = index === null ? form.values : form.values.fallbacks[index]!;
  const { type, payload } = message;
  const path = (name: string) => `${prefix}${name}`;
  const set = (name: string, value: unknown) => form.setFieldValue(path(name), value as never);

  const changeType = (next: string) => {
    set('type', next);
    // Names belong to a channel.
    set('payload.sender', '');
  };

  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <NativeSelect
          label={t('send:type')}
          required
          value={type}
          onChange={(event) => changeType(event.currentTarget.value)}
          data={types.map((value: SendingType) => ({ value, label: t(`common:type.${value}`) }))}
          error={errorOf(path('type'))}
        />
        <SendernameSelect
          type={type}
          value={payload.sender}
          onChange={(name) => set('payload.sender', name)}
          error={errorOf(path('payload.sender'))}
        />
      </SimpleGrid>
      {type === 'email' && (
        <TextInput
          label={t('send:subject')}
          maxLength={250}
          value={payload.subject}
          onChange={(event) => set('payload.subject', event.currentTarget.value)}
          error={errorOf(path('payload.subject'))}
        />
      )}
      <div>
        <Textarea
          label={t('send:text')}
          description={t('send:textHint', { variable: '{firstName}' })}
          autosize
          minRows={4}
          maxRows={14}
          value={payload.text}
          onChange={(event) => set('payload.text', event.currentTarget.value)}
          error={errorOf(path('payload.text'))}
        />
        <SegmentMeter type={type} text={payload.text} />
      </div>
    </Stack>
  );
}
