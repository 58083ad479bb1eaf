import { Button, Group, Paper, Stack, Text, Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { errorText } from '../../core/errors.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { ConfirmPhone } from '../../ui/confirm-phone.tsx';
import { IconCode, IconSend } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { estimateText } from '../estimates/estimates.api.ts';
import { useSendForm, useWizard } from './form/send-form.ts';
import { toInput, payloadOf } from './form/send-values.ts';
import { PhonePreview } from './phone-preview.tsx';
import { useCreateSending } from './send.api.ts';

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
                amount: estimateText(t, formats, estimate),
              })}
            </Text>
            {estimate.covered && (
              <Text size="sm" className="numeric">
                {t('send:covered', {
                  number: formats.number(estimate.covered.count),
                  amount: formats.money(estimate.covered.toPay),
                })}
              </Text>
            )}
            {estimate.byLength && (
              <Text size="sm" c="dimmed">
                {t('common:callsAtMost')}
              </Text>
            )}
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

/** The message alone, to one's own phone; billed like any other. */
function TestSend() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useSendForm();
  const { broken, go } = useWizard();
  const { data: me } = useQuery(meQuery);
  const { type } = form.values;
  const own = type === 'email' ? me?.data.email : me?.data.phone;
  const { send, isPending, error, fault, needsPhone } = useCreateSending({
    onCreated(created) {
      if (!('receipt' in created)) return;
      const { id, recipient } = created.receipt;
      showSuccess(t('send:testSent', { to: recipient }), {
        label: t('send:watch'),
        run: () => void navigate(`/messages/outgoing?id=${id}`),
      });
    },
  });
  const start = () => {
    const wrong = Object.entries(broken).filter(
      ([field]) => field === 'type' || field.startsWith('payload'),
    );
    if (!wrong.length) return send({ type, payload: payloadOf(form.values), recipient: own! });
    go('message');
    form.setErrors(Object.fromEntries(wrong));
  };
  if (me && !own) {
    return (
      <Text size="xs" c="dimmed">
        {t(type === 'email' ? 'send:noOwnEmail' : 'send:noOwnPhone')}
      </Text>
    );
  }
  const refusal = fault ?? (error ? errorText(t, error) : null);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        loading={isPending}
        leftSection={<IconSend size={16} aria-hidden />}
        onClick={start}
      >
        {t('send:test')}
      </Button>
      {refusal && (
        <Alert color="red" role="alert" p="xs">
          {refusal}
          {needsPhone && <ConfirmPhone />}
        </Alert>
      )}
    </>
  );
}
