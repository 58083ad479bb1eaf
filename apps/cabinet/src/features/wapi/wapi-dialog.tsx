import type { WapiInstance } from '@heliograph/contract';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { OptimisticSwitch } from '../../ui/optimistic-switch.tsx';
import { Time } from '../../ui/time.tsx';
import { QrPanel } from './qr-panel.tsx';
import { RefusalNote } from './refusal-note.tsx';
import { WapiBadge } from './wapi-badge.tsx';
import {
  priceQuery,
  useLogout,
  useRenew,
  useSetActive,
  useSetCanceled,
  wapiQuery,
} from './wapi.api.ts';

/** An instance, `?id=`: its phone and paid time, the code that links a phone, and what can be done. */
export function WapiDialog() {
  const { t } = useTranslation();
  const detail = useDetail(wapiQuery);
  return (
    <Dialog {...detail.frame} size={600} title={t('wapi:detail')}>
      <DetailBody detail={detail} failed={t('wapi:detailFailed')}>
        {(row) => <Details row={row} />}
      </DetailBody>
    </Dialog>
  );
}

function Details({ row }: { row: WapiInstance }) {
  const { t } = useTranslation();
  const can = useCan();
  const { previous } = useSession();
  const set = useSetCanceled(row.id);
  const isThere = row.state !== 'deleted';
  const isUsable = row.isPaid && row.isActive;
  const isUnlinked = row.state === 'notAuthorized' || row.state === 'undefined';
  return (
    <>
      <Facts
        facts={[
          { label: t('wapi:phone'), value: row.phone },
          { label: t('wapi:stateLabel'), value: <WapiBadge row={row} /> },
          {
            label: t(row.isPaid ? 'wapi:paidUntil' : 'wapi:endedAt'),
            value: <Time at={row.expiredAt} />,
          },
          {
            label: t('wapi:removalAt'),
            value: isThere && row.removalAt && <Time at={row.removalAt} />,
          },
        ]}
      />
      <Text size="sm" mt="sm" role="status">
        {t(`wapi:hint.${hintOf(row)}`, { phone: row.phone ?? '' })}
      </Text>
      {isThere && can('wapi.update') && (
        <OptimisticSwitch
          mt="md"
          label={t('wapi:autoRenewal')}
          checked={!row.isCanceled}
          disabled={row.isCanceled && !!previous}
          save={(isOn) => set.mutateAsync(!isOn)}
        />
      )}
      {isUsable && isUnlinked && can('wapi.update') && <QrPanel row={row} />}
      {isThere && <Actions row={row} />}
    </>
  );
}

function hintOf({ state, isPaid, isActive }: WapiInstance) {
  if (state === 'deleted') return 'deleted';
  if (!isActive) return 'inactive';
  return isPaid ? state : 'unpaid';
}

function Actions({ row }: { row: WapiInstance }) {
  const { t } = useTranslation();
  const can = useCan();
  const { previous } = useSession();
  const [asked, setAsked] = useState<'renew' | 'logout' | null>(null);
  const { data: price } = useQuery(priceQuery);
  const formats = useFormats(price?.currency);
  const renew = useRenew(row.id);
  const logout = useLogout(row.id);
  const active = useSetActive(row.id);
  const close = () => setAsked(null);
  const error = renew.error ?? logout.error ?? active.error;
  const isLinked = row.state === 'authorized' || row.state === 'sleep';
  const isOwn = can('wapi.create') && !previous;
  return (
    <>
      {error && <RefusalNote error={error} />}
      <Group justify="flex-end" mt="lg">
        {can('wapi.activate') && (
          <Button
            variant="default"
            mr="auto"
            loading={active.isPending}
            onClick={() => active.mutate(!row.isActive)}
          >
            {t(row.isActive ? 'wapi:deactivate' : 'wapi:activate')}
          </Button>
        )}
        {isLinked && can('wapi.update') && (
          <Button variant="default" onClick={() => setAsked('logout')}>
            {t('wapi:logout')}
          </Button>
        )}
        {isOwn && row.isActive && (
          <Button disabled={!price || price.amount === null} onClick={() => setAsked('renew')}>
            {t('wapi:renew')}
          </Button>
        )}
      </Group>
      <ConfirmDialog
        opened={asked === 'logout'}
        title={t('wapi:logoutTitle')}
        action={t('wapi:logout')}
        busy={logout.isPending}
        onClose={close}
        onConfirm={() =>
          logout.mutate(undefined, {
            onSuccess: () => showSuccess(t('wapi:loggedOut')),
            onSettled: close,
          })
        }
      >
        {t('wapi:logoutText', { phone: row.phone ?? '' })}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'renew'}
        title={t('wapi:renewTitle')}
        action={t('wapi:pay', { amount: formats.money(price?.amount ?? 0) })}
        busy={renew.isPending}
        onClose={close}
        onConfirm={() =>
          renew.mutate(row.expiredAt, {
            onSuccess: ({ expiredAt }) =>
              showSuccess(t('wapi:renewed', { until: formats.dateTime(expiredAt) })),
            onSettled: close,
          })
        }
      >
        {t('wapi:renewText', { amount: formats.money(price?.amount ?? 0) })}
      </ConfirmDialog>
    </>
  );
}
