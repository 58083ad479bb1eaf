import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../../core/errors.ts';
import { useFormats } from '../../../../core/use-formats.ts';
import { Facts } from '../../../../ui/facts.tsx';
import { IconAlertTriangle } from '../../../../ui/icons.ts';
import { brokenIn } from '../form/send-rules.ts';
import { useWizard } from '../form/wizard-context.ts';

/** Who will be sent to and who is left out, by reason, as the server reckons it. */
export function Reckoned() {
  const { t } = useTranslation();
  const formats = useFormats();
  const {
    estimate: { estimate, error, isReady, isCurrent },
    broken,
    go,
  } = useWizard();
  const skipped = Object.entries(estimate?.skipped ?? {}).filter(([, count]) => count > 0);
  const needsMessage = Object.keys(brokenIn('message', broken)).length > 0;
  return (
    <div aria-live="polite" aria-busy={isReady && !isCurrent}>
      {!isReady && (
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {needsMessage ? t('send:reckonMessage') : t('send:reckonRecipients')}
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
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
          {errorText(t, error)}
        </Alert>
      )}
      {estimate && (
        <Stack gap="xs">
          <Facts
            facts={[
              { label: t('send:willGet'), value: formats.number(estimate.recipients) },
              ...skipped.map(([reason, count]) => ({
                label: t('send:skipped', {
                  reason: t(`common:skip.${reason}`, { defaultValue: reason }),
                }),
                value: formats.number(count),
              })),
            ]}
          />
          {estimate.recipients === 0 && (
            <Alert color="yellow">{t('errors:code.no_recipients')}</Alert>
          )}
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
