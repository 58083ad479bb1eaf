import { ApiError } from '@heliograph/contract';
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText, ruleText } from '../../../core/errors.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { ConfirmPhone } from '../../../ui/confirm-phone.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { IconAlertTriangle } from '../../../ui/icons.ts';
import { brokenIn } from '../form/send-rules.ts';
import { useSendForm, useWizard } from '../form/send-form.ts';
import { requiredIn } from '../form/variables.ts';

/** The number of recipients and of skipped ones by reason, from the server's estimate. */
export function RecipientTotals() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { values } = useSendForm();
  const {
    estimate: { estimate, error, isReady, isCurrent },
    broken,
    go,
  } = useWizard();
  const skipped = Object.entries(estimate?.skipped ?? skippedOf(error)).filter(
    ([, count]) => count > 0,
  );
  const reasonOf = (reason: string) => {
    const text = t(`common:skip.${reason}`, { defaultValue: reason });
    if (reason !== 'noValue') return text;
    const variables = requiredIn(values.type, values.payload).map((name) => `{${name}}`);
    return variables.length ? `${text} ${variables.join(', ')}` : text;
  };
  const skippedFacts = skipped.map(([reason, count]) => ({
    label: t('send:skipped', { reason: reasonOf(reason) }),
    value: formats.number(count),
  }));
  const needsMessage = Object.keys(brokenIn('message', broken)).length > 0;
  // What is chosen but cannot be sent to says why; where nothing is chosen that is asked for.
  const fault = Object.values(brokenIn('recipients', broken)).find((rule) => rule !== 'recipients');
  const wanted = fault ? ruleText(t, fault) : t('send:reckonRecipients');
  return (
    <div aria-live="polite" aria-busy={isReady && !isCurrent}>
      {!isReady && (
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {needsMessage ? t('send:reckonMessage') : wanted}
          </Text>
          {needsMessage && (
            <Button size="compact-sm" variant="default" onClick={() => go('message')}>
              {t('send:toMessage')}
            </Button>
          )}
        </Group>
      )}
      {isReady && !estimate && !error && <Skeleton height={60} />}
      {!!error && (
        <Stack gap="xs">
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
            <Stack gap="xs" align="flex-start">
              {errorText(t, error)}
              {error instanceof ApiError && error.code === 'phone_not_confirmed' && (
                <ConfirmPhone />
              )}
            </Stack>
          </Alert>
          <Facts facts={skippedFacts} />
        </Stack>
      )}
      {estimate && (
        <Stack gap="xs">
          <Facts
            facts={[
              { label: t('send:willGet'), value: formats.number(estimate.recipients) },
              ...estimate.assumed.map(({ country, count }) => ({
                label: t('send:assumed', { country: formats.region(country) }),
                value: formats.number(count),
              })),
              ...(estimate.quiet
                ? [
                    {
                      label: t('send:quiet', { time: formats.dateTime(estimate.quiet.until) }),
                      value: formats.number(estimate.quiet.count),
                    },
                  ]
                : []),
              ...skippedFacts,
            ]}
          />
          {!estimate.exact && (
            <Text size="xs" c="dimmed">
              {t('send:estimate.sample')}
            </Text>
          )}
        </Stack>
      )}
    </div>
  );
}

/** When no recipient is left, the error contains the skipped ones by reason. */
function skippedOf(error: unknown): Record<string, number> {
  const skipped = error instanceof ApiError && error.body.payload?.skipped;
  return (skipped || {}) as Record<string, number>;
}
