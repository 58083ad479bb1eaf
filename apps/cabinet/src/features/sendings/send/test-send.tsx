import { Alert, Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { meQuery } from '../../../core/account.ts';
import { errorText } from '../../../core/errors.ts';
import { keyKeeper } from '../../../core/idempotency.ts';
import { showSuccess } from '../../../core/toast.tsx';
import { IconSend } from '../../../ui/icons.ts';
import { createSending } from '../sendings.api.ts';
import { focusField } from './focus-field.ts';
import { useSendForm } from './form-context.ts';
import { payloadOf } from './send-values.ts';
import { useReceiptFault } from './use-receipt-fault.ts';
import { useWizard } from './wizard-context.ts';

/** The message alone, to one's own phone; billed like any other. */
export function TestSend() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const faultOf = useReceiptFault();
  const form = useSendForm();
  const { broken, go } = useWizard();
  const { data: me } = useQuery(meQuery);
  const { type } = form.values;
  const own = type === 'email' ? me?.data.email : me?.data.phone;
  const keys = useRef(keyKeeper());
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => {
      const body = { type, payload: payloadOf(form.values), recipient: own! };
      return createSending(body, keys.current.keyFor(body));
    },
    onSuccess: (answer) => {
      keys.current.forget();
      void client.invalidateQueries({ queryKey: ['sendings', 'find'] });
      void client.invalidateQueries({ queryKey: ['billings'] });
      if (!('recipient' in answer) || faultOf(answer)) return;
      showSuccess(t('send:testSent', { to: answer.recipient }), {
        label: t('send:watch'),
        run: () => void navigate(`/messages/outgoing?id=${answer.id}`),
      });
    },
    meta: { showsErrors: true },
  });
  const start = () => {
    const wrong = Object.entries(broken).filter(
      ([field]) => field === 'type' || field.startsWith('payload'),
    );
    if (!wrong.length) return mutate();
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
  const fault = error ? errorText(t, error) : data && 'recipient' in data ? faultOf(data) : null;
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
      {fault && (
        <Alert color="red" role="alert" p="xs">
          {fault}
        </Alert>
      )}
    </>
  );
}
