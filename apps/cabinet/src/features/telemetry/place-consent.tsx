import { Button, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keysOf } from '../../core/query-keys.ts';
import { useFormats } from '../../core/use-formats.ts';
import { OptimisticSwitch } from '../../ui/optimistic-switch.tsx';
import { browserQuery, notePlace } from './place.api.ts';
import { consentQuery, useDecide } from './telemetry.api.ts';

/** Consent to record country and city of the user's sign-ins. Only here the browser asks for its location permission. */
export function PlaceConsent() {
  const { t } = useTranslation();
  const formats = useFormats();
  const client = useQueryClient();
  const { data: consent } = useQuery(consentQuery);
  const { data: browser } = useQuery(browserQuery);
  const decide = useDecide();
  const note = useMutation({
    mutationFn: notePlace,
    // The browser refuses, or does not know where it is: the visit stays without a place.
    onError: (error) => console.info(error),
    onSettled: () =>
      Promise.all(
        (['telemetry', 'sessions', 'browser'] as const).map((noun) =>
          client.invalidateQueries({ queryKey: keysOf(noun).all }),
        ),
      ),
    meta: { showsErrors: true },
  });
  if (!consent) return null;
  const { isAllowed, nextAt } = consent;
  const save = async (checked: boolean) => {
    const now = await decide.mutateAsync(checked);
    if (checked && !now.nextAt) note.mutate();
  };
  return (
    <Paper withBorder p="md" mb="md">
      <Stack gap="sm" align="flex-start">
        <OptimisticSwitch
          label={t('telemetry:consent.label')}
          description={t('telemetry:consent.text')}
          checked={isAllowed ?? false}
          save={save}
        />
        {isAllowed && browser === 'denied' && (
          <Text size="sm">{t('telemetry:consent.denied')}</Text>
        )}
        {isAllowed && browser === 'prompt' && (
          <>
            <Text size="sm">{t('telemetry:consent.prompt')}</Text>
            <Button variant="default" loading={note.isPending} onClick={() => note.mutate()}>
              {t('telemetry:consent.ask')}
            </Button>
          </>
        )}
        {isAllowed && nextAt && (
          <Text size="sm" c="dimmed">
            {t('telemetry:consent.next', { time: formats.dateTime(nextAt) })}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
