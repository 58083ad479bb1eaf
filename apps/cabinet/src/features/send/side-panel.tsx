import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { IconCode } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { useSendForm } from './form/form-context.ts';
import { PhonePreview } from './phone-preview.tsx';
import { TestSend } from './test-send.tsx';
import { toInput } from './form/send-values.ts';
import { useWizard } from './form/wizard-context.ts';

const CurlDialog = later(async () => (await import('./curl-dialog.tsx')).CurlDialog);

/** Shown beside every step: the message preview, the price, a test message and the API call. */
export function SidePanel() {
  const { t } = useTranslation();
  const { values } = useSendForm();
  const [curl, setCurl] = useState(false);
  return (
    <Stack gap="sm">
      <PhonePreview />
      <Cost />
      <Group gap="xs" grow preventGrowOverflow={false}>
        <TestSend />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCode size={16} aria-hidden />}
          aria-keyshortcuts="~"
          onClick={() => setCurl(true)}
        >
          {t('send:curl')}
        </Button>
      </Group>
      {curl && <CurlDialog body={toInput(values)} onClose={() => setCurl(false)} />}
    </Stack>
  );
}

function Cost() {
  const { t } = useTranslation();
  const {
    estimate: { estimate, isCurrent, isReady },
  } = useWizard();
  const formats = useFormats(estimate?.currency);
  return (
    <Paper withBorder p="sm" role="group" aria-label={t('send:price')}>
      <div aria-live="polite" aria-busy={isReady && !isCurrent}>
        {estimate ? (
          <>
            <Text fw={600} className="numeric">
              {t('send:costOf', {
                count: estimate.recipients,
                number: formats.number(estimate.recipients),
                amount: formats.money(estimate.amount),
              })}
            </Text>
            {estimate.max > estimate.amount && (
              <Text size="sm" c="dimmed" className="numeric">
                {t('send:costUpTo', { amount: formats.money(estimate.max) })}
              </Text>
            )}
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {isReady ? t('send:reckoning') : t('send:estimate.hint')}
          </Text>
        )}
      </div>
    </Paper>
  );
}
