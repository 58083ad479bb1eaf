import type { RecurrentPayment } from '@heliograph/contract';
import { canReInit } from '@heliograph/domain';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../core/session/use-session.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { OptimisticSwitch } from '../../ui/optimistic-switch.tsx';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { RecurrentBadge } from './recurrent-badge.tsx';
import {
  recurrentQuery,
  useBlockRecurrent,
  useConfirmCard,
  useRemoveRecurrent,
  useSetRecurrent,
} from './recurrent-payments.api.ts';
import { RuleSentence } from './rule-sentence.tsx';

/** A recurring payment, `?id=`: its rule and card, the switch that pauses it, and what else can be done. */
export function RecurrentDialog() {
  const { t } = useTranslation();
  const detail = useDetail(recurrentQuery);
  return (
    <Dialog {...detail.frame} size={600} title={t('recurrentPayments:detail')}>
      <DetailBody detail={detail} failed={t('recurrentPayments:detailFailed')}>
        {(row) => <Details row={row} onClose={detail.frame.onClose} />}
      </DetailBody>
    </Dialog>
  );
}

/** Nobody else has a card of the account charged. */
function useIsOwn({ OwnerId }: RecurrentPayment): boolean {
  const { previous } = useSession();
  return !previous && OwnerId === useSettings().session.OwnerId;
}

function Details({ row, onClose }: { row: RecurrentPayment; onClose: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const isOwn = useIsOwn(row);
  const set = useSetRecurrent(row.id);
  const { status } = row;
  const isWaiting = status === 'init' || status === 'error' || status === 'block';
  const hasSwitch = status === 'ready' || (status === 'pause' && isOwn);
  return (
    <>
      <Facts
        facts={[
          { label: t('payments:owner'), value: row.Owner?.username },
          { label: t('payments:statusLabel'), value: <RecurrentBadge status={status} /> },
          {
            label: t('recurrentPayments:rule.label'),
            value: (
              <Blurred what={t('recurrentPayments:rule.label')}>
                <RuleSentence row={row} />
              </Blurred>
            ),
          },
          {
            label: t('payments:card'),
            value: row.meta.bankData && (
              <Blurred what={t('payments:card')}>•••• {row.meta.bankData.cardNumber}</Blurred>
            ),
          },
          { label: t('recurrentPayments:next'), value: row.nextAt && <Time at={row.nextAt} /> },
          { label: t('recurrentPayments:failures'), value: row.failures > 0 && row.failures },
          { label: t('payments:created'), value: <Time at={row.createdAt} /> },
        ]}
      />
      {isWaiting && isOwn && (
        <Text size="sm" mt="md">
          {t(`recurrentPayments:hint.${status}`)}
        </Text>
      )}
      {hasSwitch && can('recurrentPayments.update') && (
        <OptimisticSwitch
          mt="md"
          label={t('recurrentPayments:active')}
          checked={status === 'ready'}
          save={(isReady) => set.mutateAsync(isReady ? 'ready' : 'pause')}
        />
      )}
      <Anchor
        component={Link}
        to={`/balance/payments?RecurrentPaymentId=${row.id}`}
        size="sm"
        mt="md"
        display="inline-block"
      >
        {t('recurrentPayments:history')}
      </Anchor>
      <Actions row={row} onClose={onClose} />
    </>
  );
}

function Actions({ row, onClose }: { row: RecurrentPayment; onClose: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const isOwn = useIsOwn(row);
  const confirm = useConfirmCard(row.id);
  const block = useBlockRecurrent(row.id);
  const remove = useRemoveRecurrent();
  const [removing, setRemoving] = useState<RecurrentPayment | null>(null);
  const isBlocked = row.status === 'block';
  return (
    <Group justify="flex-end" mt="lg">
      {can('recurrentPayments.remove') && (
        <Button variant="default" mr="auto" onClick={() => setRemoving(row)}>
          {t('recurrentPayments:remove')}
        </Button>
      )}
      {can('recurrentPayments.block', 'managerUp') && (
        <Button
          variant="default"
          loading={block.isPending}
          onClick={() => block.mutate(!isBlocked)}
        >
          {t(isBlocked ? 'recurrentPayments:unblock' : 'recurrentPayments:block')}
        </Button>
      )}
      {canReInit(row.status) && can('recurrentPayments.update') && isOwn && (
        <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
          {t('recurrentPayments:confirm')}
        </Button>
      )}
      <RemoveDialog
        row={removing}
        onClose={() => setRemoving(null)}
        words={() => ({
          question: t('recurrentPayments:removeQuestion'),
          action: t('recurrentPayments:remove'),
          text: t('recurrentPayments:removeText'),
        })}
        change={{
          isPending: remove.isPending,
          mutate: (id, { onSuccess }) =>
            remove.mutate(id, {
              onSuccess() {
                onSuccess();
                onClose();
              },
            }),
        }}
      />
    </Group>
  );
}
