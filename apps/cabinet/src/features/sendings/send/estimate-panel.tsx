import { Alert, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../core/errors.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { Facts } from '../../../ui/facts.tsx';
import { IconAlertTriangle } from '../../../ui/icons.ts';
import { useSendForm } from './form-context.ts';
import { useEstimate } from './use-estimate.ts';

/** What the sending will cost, before anything is sent. */
export function EstimatePanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { values } = useSendForm();
  const { estimate, error, isReady, isFetching } = useEstimate(values);
  const skipped = Object.entries(estimate?.skipped ?? {}).filter(([, count]) => count > 0);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="estimate-title">
      <Title order={2} size="h5" mb="xs" id="estimate-title">
        {t('send:estimate.title')}
      </Title>
      <div aria-live="polite" aria-busy={isFetching}>
        {!isReady && (
          <Text size="sm" c="dimmed">
            {t('send:estimate.hint')}
          </Text>
        )}
        {isReady && !estimate && !error && <EstimateSkeleton />}
        {!!error && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
            {errorText(t, error)}
          </Alert>
        )}
        {estimate && !error && (
          <Stack gap="sm">
            <Facts
              facts={[
                {
                  label: t('send:estimate.recipients'),
                  value: formats.number(estimate.recipients),
                },
                { label: t('send:estimate.segments'), value: formats.number(estimate.segments) },
                {
                  label: t('send:estimate.amount'),
                  value: <strong className="numeric">{formats.money(estimate.amount)}</strong>,
                },
                {
                  label: t('send:estimate.max'),
                  value: estimate.max > estimate.amount && formats.money(estimate.max),
                },
                {
                  label: t('send:estimate.balanceAfter'),
                  value: formats.money(estimate.balanceAfter),
                },
                ...skipped.map(([reason, count]) => ({
                  label: t('send:estimate.skipped', {
                    reason: t(`common:skip.${reason}`, { defaultValue: reason }),
                  }),
                  value: formats.number(count),
                })),
              ]}
            />
            {!estimate.exact && (
              <Text size="xs" c="dimmed">
                {t('send:estimate.sample')}
              </Text>
            )}
            {!estimate.enough && (
              <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
                {t('send:estimate.notEnough')}
              </Alert>
            )}
          </Stack>
        )}
      </div>
    </Paper>
  );
}

function EstimateSkeleton() {
  return (
    <Stack gap="sm">
      {[70, 55, 65, 60].map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} />
      ))}
    </Stack>
  );
}
