import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../core/errors.ts';
import { localIso } from '../../../core/time-zone.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { Facts } from '../../../ui/facts.tsx';
import { IconAlertTriangle } from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';
import { Section } from '../form/section.tsx';
import { useSendForm, useWizard } from '../form/send-form.ts';
import { labelOf, problemOf, stepOf } from '../form/send-rules.ts';
import { isSingle } from '../form/send-values.ts';
import { RecipientTotals } from './recipient-totals.tsx';
import { useTriggerText } from './use-trigger-text.ts';

const PriceTable = later(
  async () => (await import('./price-table.tsx')).PriceTable,
  <Skeleton height={120} />,
);

/** The summary with the price before sending. */
export function SendStep() {
  const { t } = useTranslation();
  const form = useSendForm();
  const {
    estimate: { estimate, error, isReady },
  } = useWizard();
  return (
    <Stack>
      <Warnings />
      <Section title={t('send:summary')}>
        <Summary />
        {!isSingle(form.values) && (
          <TextInput
            mt="md"
            label={t('send:taskTitle')}
            description={t('send:taskTitleHint')}
            maxLength={100}
            {...form.field('title')}
          />
        )}
      </Section>
      <Section title={t('send:recipients')}>
        <RecipientTotals />
      </Section>
      {isReady && (
        <Section title={t('send:price')}>
          {estimate ? (
            <PriceTable estimate={estimate} />
          ) : error ? (
            <Text size="sm">{errorText(t, error)}</Text>
          ) : (
            <Skeleton height={120} />
          )}
        </Section>
      )}
    </Stack>
  );
}

/** The errors that prevent sending, each with a link to its field. */
function Warnings() {
  const { t } = useTranslation();
  const { broken, go } = useWizard();
  const all = Object.entries(broken);
  if (!all.length) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t('send:notYet')}>
      <Stack gap={6}>
        {all.map(([field, rule]) => (
          <Group key={field} gap="sm" justify="space-between" align="start" wrap="nowrap">
            <Text size="sm">{problemOf(t, field, rule)}</Text>
            <Button
              size="compact-xs"
              variant="default"
              flex="none"
              aria-label={t('send:mendField', { field: labelOf(t, field) })}
              onClick={() => go(stepOf(field), field)}
            >
              {t('send:mend')}
            </Button>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

function Summary() {
  const { t } = useTranslation();
  const formats = useFormats();
  const triggerText = useTriggerText();
  const { type, payload, fallbacks, when, at, hours } = useSendForm().values;
  const startsAt = localIso(at);
  return (
    <Facts
      facts={[
        { label: t('send:type'), value: t(`common:type.${type}`) },
        { label: t('send:sender'), value: payload.sender },
        {
          label: t('send:text'),
          value: payload.text && <span style={{ whiteSpace: 'pre-wrap' }}>{payload.text}</span>,
        },
        ...fallbacks.map((fallback, i) => ({
          label: t('send:fallback', { number: i + 1 }),
          value: t('common:labelled', {
            label: t(`common:type.${fallback.type}`),
            value: triggerText(fallback),
          }),
        })),
        {
          label: t('send:whenLabel'),
          value:
            when === 'now' || !at
              ? t('send:now')
              : // What is wrong with a time that is none stands among the warnings.
                startsAt && formats.dateTime(startsAt),
        },
        { label: t('send:stretch'), value: hours > 0 && t('send:hours', { count: hours }) },
      ]}
    />
  );
}
