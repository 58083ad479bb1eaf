import type { WapiInstance } from '@heliograph/contract';
import { Alert, Anchor, Center, Loader, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useSettings } from '../../core/settings.ts';
import { IconAlertTriangle } from '../../ui/icons.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { useOpenQr } from './wapi.api.ts';

/** The server renews a code for a minute after it was asked for. */
const REOPEN_MS = 40_000;
const SIZE = 208;

/** The code that links a phone. It is renewed by events while it is on the screen. */
export function QrPanel({ row }: { row: WapiInstance }) {
  const { t } = useTranslation();
  const { tools } = useSettings();
  const { mutate, error } = useOpenQr(row.id);
  useEffect(() => {
    mutate();
    const timer = setInterval(() => mutate(), REOPEN_MS);
    return () => clearInterval(timer);
  }, [mutate]);
  const { qr, problem } = row;
  const warning = problem ? t(`errors:code.${problem}`) : error && errorText(t, error);
  return (
    <Stack mt="md" align="center">
      {warning && (
        <Alert color="orange" w="100%" icon={<IconAlertTriangle aria-hidden />}>
          {warning}
        </Alert>
      )}
      <Center w={SIZE} h={SIZE}>
        {qr?.code ? (
          <QrCode text={qr.code} label={t('wapi:qr')} />
        ) : qr?.image ? (
          <img
            src={`data:image/png;base64,${qr.image}`}
            alt={t('wapi:qr')}
            width={SIZE}
            height={SIZE}
          />
        ) : (
          <Loader aria-label={t('wapi:preparing')} />
        )}
      </Center>
      <Text size="sm" ta="center">
        {t('wapi:scan')}
      </Text>
      {tools.simulator && qr?.code && (
        <Anchor href={qr.code} target="_blank" rel="noreferrer" size="sm">
          {t('wapi:openPhone')}
        </Anchor>
      )}
    </Stack>
  );
}
