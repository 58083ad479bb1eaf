import { Alert, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { errorText } from '../../core/errors.ts';
import { showSuccess } from '../../core/toast.tsx';
import { ConfirmPhone } from '../../ui/confirm-phone.tsx';
import { IconSend } from '../../ui/icons.ts';
import { useCreateSending } from './send.api.ts';
import { focusField } from './form/focus-field.ts';
import { useSendForm } from './form/form-context.ts';
import { payloadOf } from './form/send-values.ts';
import { useWizard } from './form/wizard-context.ts';

/** The message alone, to one's own phone; billed like any other. */
export function TestSend() {
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
    focusField(wrong[0]![0]);
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
