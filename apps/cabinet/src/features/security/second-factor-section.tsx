import { Badge, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../core/session/use-session.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { later } from '../../ui/later.tsx';
import type { FactorChange } from './factor-dialog.tsx';
import { factorQuery } from './security.api.ts';

const FactorDialog = later(async () => (await import('./factor-dialog.tsx')).FactorDialog);
/** With fewer codes left the user is asked to create new ones. */
const FEW_CODES = 3;

/** "Two-factor sign-in": its state, and how to turn it on and off. Texts: the namespace `security`. */
export function SecondFactorSection() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { previous } = useSession();
  const { data: factor } = useQuery(factorQuery);
  const [change, setChange] = useState<FactorChange | null>(null);
  const last = useLast(change);
  const { isEnabled = false, enabledAt, codesLeft = 0, isRequired = false } = factor ?? {};
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="second-factor">
      <Stack gap="sm" align="flex-start">
        <Group gap="sm">
          <Title order={2} size="h4" id="second-factor">
            {t('security:title')}
          </Title>
          {factor && (
            <Badge variant="light" color={isEnabled ? 'green' : 'gray'}>
              {t(isEnabled ? 'security:on' : 'security:off')}
            </Badge>
          )}
        </Group>
        <Text size="sm">{t('security:text')}</Text>
        {!factor && <Skeleton h={36} w={160} />}
        {isEnabled && enabledAt && (
          <Text size="sm">
            {t('security:since', { time: formats.dateTime(enabledAt) })}{' '}
            {t('security:codesLeft', { left: codesLeft })}
          </Text>
        )}
        {isEnabled && codesLeft < FEW_CODES && (
          <Text size="sm" c="red">
            {t('security:fewCodes')}
          </Text>
        )}
        {isEnabled && isRequired && <Text size="sm">{t('security:required')}</Text>}
        {/* In an impersonated session the second factor cannot be changed. */}
        {factor && !previous && (
          <Group gap="xs">
            {isEnabled ? (
              <>
                <Button variant="default" onClick={() => setChange('codes')}>
                  {t('security:newCodes')}
                </Button>
                <Button variant="default" onClick={() => setChange('disable')}>
                  {t('security:disable')}
                </Button>
              </>
            ) : (
              <Button onClick={() => setChange('enable')}>{t('security:enable')}</Button>
            )}
          </Group>
        )}
      </Stack>
      {last && (
        <FactorDialog
          key={last}
          change={last}
          opened={change !== null}
          onClose={() => setChange(null)}
        />
      )}
    </Paper>
  );
}
