import { routes, SendingType, type RouteProbe as Probed } from '@heliograph/contract';
import { SHARE_TOTAL, TRAFFIC_KINDS, type TrafficKind } from '@heliograph/domain';
import { List, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { OwnerSelect } from '../../ui/owner-select.tsx';
import { useRouteProbe } from './routes.api.ts';

/** Which way a message would go, and why. Nothing is sent. */
export function RouteProbe({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t('routes:probe.title')} size={600}>
      <ProbeForm onClose={onClose} />
    </Dialog>
  );
}

function ProbeForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useRouteProbe();
  const [probed, setProbed] = useState<Probed | null>(null);
  const form = useContractForm({
    initial: {
      OwnerId: null as string | null,
      type: 'sms' as SendingType,
      kind: 'single' as TrafficKind,
      sender: '',
      recipient: '',
      text: '',
    },
    schema: routes.probe.body,
    toBody: ({ OwnerId, recipient, ...values }) => ({
      ...values,
      recipient: recipient.trim(),
      ...(OwnerId && { OwnerId }),
    }),
    repeats: true,
    submit: mutateAsync,
    onDone: setProbed,
  });
  return (
    <ContractForm
      form={form}
      footer={
        <FormFooter
          form={form}
          submit={t('routes:probe.submit')}
          cancel={t('common:close')}
          onCancel={onClose}
        />
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          {...form.text('recipient')}
          label={t('routes:probe.recipient')}
          type="tel"
          required
          data-autofocus
        />
        <OwnerSelect
          {...form.field('OwnerId')}
          label={t('routes:probe.owner')}
          value={form.values.OwnerId}
          onChange={(OwnerId) => form.set({ OwnerId })}
          clearable
        />
        <NativeSelect
          {...form.field('type')}
          label={t('routes:probe.type')}
          data={SendingType.options.map((value) => ({
            value,
            label: t(`common:type.${value}`),
          }))}
        />
        <NativeSelect
          {...form.field('kind')}
          label={t('routes:kinds')}
          data={TRAFFIC_KINDS.map((value) => ({ value, label: t(`routes:kind.${value}`) }))}
        />
        <TextInput {...form.text('sender')} label={t('routes:probe.sender')} />
        <Textarea
          {...form.text('text')}
          label={t('routes:probe.text')}
          autosize
          minRows={1}
          maxRows={4}
        />
      </SimpleGrid>
      <div role="status">{probed && <Answer probed={probed} />}</div>
    </ContractForm>
  );
}

function Answer({ probed }: { probed: Probed }) {
  const { t } = useTranslation();
  const formats = useFormats(probed.currency);
  const { route, channel, channels, passed } = probed;
  return (
    <Stack gap="sm">
      <Text fw={600}>
        {!channel
          ? t('routes:probe.none')
          : route
            ? t('routes:probe.by', { channel, route: route.title })
            : t('routes:probe.byDefault', { channel })}
      </Text>
      <Facts
        facts={[
          { label: t('routes:probe.recipient'), value: probed.recipient },
          { label: t('routes:probe.country'), value: probed.country },
          {
            label: t('routes:probe.operator'),
            value: [probed.operator, probed.mccmnc].filter(Boolean).join(' · '),
          },
          {
            label: t('routes:probe.network'),
            value: probed.lookedUpAt
              ? t('routes:probe.lookedUp', { time: formats.dateTime(probed.lookedUpAt) })
              : probed.mccmnc && t('routes:probe.byPrefix'),
          },
          {
            label: t('routes:probe.price'),
            value:
              probed.amount === null ? t('routes:probe.noPrice') : formats.money(probed.amount),
          },
        ]}
      />
      {channels.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            {t('routes:channels')}
          </Text>
          <List size="sm" type="ordered">
            {channels.map(({ name, weight, share, state }) => (
              <List.Item key={name}>
                {[
                  name,
                  weight,
                  share === null ? null : formats.percent(share / SHARE_TOTAL),
                  t(`routes:state.${state}`),
                ]
                  .filter((one) => one !== null)
                  .join(' · ')}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {passed.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            {t('routes:probe.passed')}
          </Text>
          <List size="sm">
            {passed.map(({ id, title, unmet }) => (
              <List.Item key={id}>{`${title}: ${t(`routes:unmet.${unmet}`)}`}</List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  );
}
