import { ActionIcon, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { IconChevronLeft, IconChevronRight } from '../../ui/icons.ts';
import { useSendForm, useWizard } from './form/send-form.ts';
import { payloadOf } from './form/send-values.ts';
import { PhoneSection } from './phone-section.tsx';

/** The message that is written, as one of its recipients gets it. */
export function PhonePreview() {
  const { values } = useSendForm();
  const { sample } = useWizard();
  return (
    <PhoneSection type={values.type} payload={payloadOf(values)} values={sample.values}>
      <Who />
    </PhoneSection>
  );
}

/** Whose values fill the message, and the way to the next one. */
function Who() {
  const { t } = useTranslation();
  const formats = useFormats();
  const {
    sample: { place, values, go },
  } = useWizard();
  if (!place) {
    return (
      <Text size="xs" c="dimmed" ta="center" mt={6}>
        {t('send:previewDefaults')}
      </Text>
    );
  }
  const { index, total } = place;
  const name = [values.firstName, values.lastName].filter(Boolean).join(' ');
  return (
    <Group gap={4} justify="center" mt={6} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('send:previousContact')}
        disabled={index === 0}
        onClick={() => go(index - 1)}
      >
        <IconChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <Text size="xs" ta="center" role="status" className="numeric">
        {t('send:contactOf', {
          name: name || values.phone || values.email || '',
          number: formats.number(index + 1),
          total: formats.number(total),
        })}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('send:nextContact')}
        disabled={index + 1 >= total}
        onClick={() => go(index + 1)}
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
