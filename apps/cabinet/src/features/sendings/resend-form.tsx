import type { Sending, SendingType } from '@heliograph/contract';
import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, ruleText } from '../../core/errors.ts';
import { useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useKeepOpen } from '../../core/forms/dialog-hold.ts';
import { SendernameSelect } from '../sendernames/sendername-select.tsx';
import { firstChoice, isSpoken, offeredTypes, type ResendValues } from './resend-values.ts';
import { ResendCall } from './resend-call.tsx';
import { useResend } from './use-resend.ts';

interface ResendFormProps {
  sending: Sending;
  onClose: () => void;
  onSent: (id: string) => void;
}

/** A new message to the same recipient, by the same channel or another; its price stands on the button. */
export function ResendForm({ sending, onClose, onSent }: ResendFormProps) {
  const { t } = useTranslation();
  const { sendings, session, tools } = useSettings();
  const voice = tools.speech?.voice ?? null;
  const types = offeredTypes(sending, sendings.types, session.OwnerId, voice);
  const [values, setValues] = useState(() => firstChoice(sending, types, voice));
  const [isAsked, setAsked] = useState(false);
  const set = (patch: Partial<ResendValues>) => setValues((now) => ({ ...now, ...patch }));
  const { broken, price, send, isPending, refusal } = useResend(sending, values, onSent);
  useKeepOpen(isPending);
  const formats = useFormats(price.estimate?.currency);
  const rules = { ...(isAsked && broken), ...refusal.byField };
  const errorOf = (path: string) => rules[path] && ruleText(t, rules[path]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!Object.keys(broken).length && !isPending) send();
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {refusal.text && (
          <Alert color="red" role="alert">
            {refusal.text}
          </Alert>
        )}
        <NativeSelect
          label={t('sendings:type')}
          description={types.length < sendings.types.length && t('sendings:resend.noCall')}
          data-autofocus
          value={values.type}
          onChange={(event) =>
            // Names belong to a channel.
            set({ type: event.currentTarget.value as SendingType, sender: '' })
          }
          data={[...new Set([...types, values.type])].map((value) => ({
            value,
            label: t(`common:type.${value}`),
          }))}
        />
        <SendernameSelect
          type={values.type}
          OwnerId={sending.OwnerId}
          value={values.sender}
          onChange={(sender) => set({ sender })}
          error={errorOf('payload.sender')}
        />
        {values.type === 'voice' && (
          <ResendCall
            sending={sending}
            values={values}
            onChange={set}
            error={
              isSpoken(values) ? undefined : (errorOf('payload.audio') ?? errorOf('payload.text'))
            }
          />
        )}
        {(values.type !== 'voice' || isSpoken(values)) && (
          <Textarea
            label={t('sendings:text')}
            autosize
            minRows={3}
            maxRows={10}
            value={values.text}
            onChange={(event) => set({ text: event.currentTarget.value })}
            error={errorOf('payload.text')}
          />
        )}
        <Text size="sm" aria-live="polite">
          {price.error
            ? errorText(t, price.error)
            : price.estimate
              ? t(price.estimate.enough ? 'sendings:resend.price' : 'sendings:resend.notEnough', {
                  money: formats.money(price.estimate.amount),
                  after: formats.money(price.estimate.balanceAfter),
                })
              : t('sendings:resend.noPrice')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:cancel')}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={!!price.error || price.estimate?.enough === false}
          >
            {price.estimate
              ? t('sendings:resend.submitFor', { money: formats.money(price.estimate.amount) })
              : t('sendings:resend.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
