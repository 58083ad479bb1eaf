import type { LookupFacts, Sending } from '@heliograph/contract';
import { isBilledBySegment, STOPPED, statusImpliesOutcome } from '@heliograph/domain';
import { Anchor, Button, Group, Paper, Stack, Text, Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan, useMayOpen } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconRepeat, IconTasks } from '../../ui/icons.ts';
import { Charge } from '../../ui/charge.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { Attempts } from './attempts.tsx';
import { CancelSending } from './cancel-sending.tsx';
import { FailureNote } from './failure-note.tsx';
import { OUTCOME_APPEARANCE } from './sending-appearance.ts';
import { SendingBadge } from './sending-badge.tsx';
import { billingQuery } from './sendings.api.ts';
import { usePartFacts } from './use-part-facts.tsx';

interface SendingDetailsProps {
  sending: Sending;
  onResend: () => void;
}

export function SendingDetails({ sending, onResend }: SendingDetailsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const mayOpen = useMayOpen();
  const formats = useFormats();
  const partFacts = usePartFacts();
  const { state, payload, meta } = sending;
  const time = (iso: string | null) => iso && <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  const hidden = (label: string, value: string | null | undefined) => ({
    label,
    value: value && <Blurred what={label}>{value}</Blurred>,
  });
  const network = (one: LookupFacts['network'] | undefined) =>
    one && (one.name ?? `${one.mcc} ${one.mnc}`);
  const truth = (one: boolean | null) =>
    one !== null && t(one ? 'sendings:lookup.yes' : 'sendings:lookup.no');
  const lookupFacts = (found: LookupFacts | undefined) =>
    found
      ? [
          hidden(t('sendings:lookup.network'), network(found.network)),
          hidden(t('sendings:lookup.origin'), network(found.origin)),
          { label: t('sendings:lookup.ported'), value: truth(found.ported) },
          { label: t('sendings:lookup.roaming'), value: truth(found.roaming) },
        ]
      : [];
  // Only of a recipient whom no attempt has reached is something to be sent again.
  const isLost = state.status === 'failed' && state.outcome === 'failed';
  const hasParts = isBilledBySegment(sending.type);
  const textLength = () =>
    [
      t('sendings:detail.characters', { count: meta.stats.characters }),
      ...(hasParts ? [t('sendings:parts', { count: meta.stats.segments })] : []),
    ].join(', ');
  // Of managers alone: the channel that carried it.
  const channel = sending.timeline?.find(({ id, way }) => id === sending.id && way)?.way?.channel;
  const isCall = sending.type === 'voice' || sending.type === 'flashcall';
  /** Flash calls are not answered. What is free has no seconds. */
  const callLength = () => {
    if (sending.type !== 'voice' || !meta.billing) return null;
    const { call, multiplier } = meta.billing;
    return call && call.seconds !== null
      ? formats.seconds(call.seconds)
      : t('sendings:detail.estimated', { seconds: formats.seconds(multiplier) });
  };
  const fallbacks = sending.fallbacks?.map((f) => t(`common:type.${f.type}`)).join(' → ');
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <SendingBadge {...sending} />
        </div>
        <Group gap="xs">
          <CancelSending sending={sending} />
          {can('sendings.generate') && !isLost && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRepeat size={16} aria-hidden />}
              onClick={onResend}
            >
              {t('sendings:resend.again')}
            </Button>
          )}
          {sending.groupId && can('tasks.get') && (
            <Button
              size="xs"
              variant="default"
              component={Link}
              to={`/messages/tasks/${sending.groupId}`}
              leftSection={<IconTasks size={16} aria-hidden />}
            >
              {t('sendings:detail.task')}
            </Button>
          )}
        </Group>
      </Group>
      {isLost ? (
        <FailureNote sending={sending} onResend={onResend} />
      ) : (
        <DecidedNote {...sending} />
      )}
      <Attempts sending={sending} />
      <Paper withBorder p="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {payload.text ? (
          <Blurred what={t('sendings:text')}>{payload.text}</Blurred>
        ) : (
          <Text c="dimmed">{t('sendings:detail.noText')}</Text>
        )}
      </Paper>
      <Facts
        facts={[
          { label: t('sendings:type'), value: t(`common:type.${sending.type}`) },
          hidden(t('sendings:sender'), payload.sender),
          {
            label: t('sendings:recipient'),
            value: (
              <Blurred what={t('sendings:recipient')}>
                <PersonLink address={sending.recipient} OwnerId={sending.OwnerId}>
                  {sending.recipient}
                </PersonLink>
              </Blurred>
            ),
          },
          ...partFacts(payload),
          hidden(t('sendings:operator'), meta.operator?.name),
          ...lookupFacts(sending.lookup),
          hidden(t('sendings:owner'), sending.Owner?.username),
          {
            label: t('sendings:price'),
            value: !sending.live
              ? t('sendings:testFree')
              : meta.billing && (
                  <Blurred what={t('sendings:price')}>
                    <SendingPrice {...sending} />
                  </Blurred>
                ),
          },
          {
            label: t('sendings:purchase.label'),
            value: channel && can('purchasePrices.get', 'managerUp') && mayOpen('/channels') && (
              <Anchor component={Link} size="sm" to={`/channels?id=${channel}`}>
                {t('sendings:purchase.of', { channel })}
              </Anchor>
            ),
          },
          {
            label: t('sendings:length'),
            value: isCall ? callLength() : textLength(),
          },
          {
            label: t('sendings:alphabet.label'),
            value:
              hasParts &&
              meta.stats.characters > 0 &&
              t(`sendings:alphabet.${meta.stats.encoding}`),
          },
          { label: t('sendings:detail.fallbacks'), value: fallbacks },
          { label: t('sendings:created'), value: time(sending.createdAt) },
          { label: t('sendings:sentAt'), value: time(sending.sentAt) },
          { label: t('sendings:deliveredAt'), value: time(sending.deliveredAt) },
          { label: t('sendings:seenAt'), value: time(sending.seenAt) },
          { label: t('sendings:failedAt'), value: time(sending.failedAt) },
          { label: t('sendings:id'), value: <CopyId id={sending.id} /> },
        ]}
      />
    </Stack>
  );
}

/** Says that another attempt decided the outcome, and why this one failed where no list of attempts shows it. */
function DecidedNote({
  state,
  groupId,
  attempts = [],
}: Pick<Sending, 'state' | 'groupId' | 'attempts'>) {
  const { t } = useTranslation();
  const { status, outcome, code, error } = state;
  if (statusImpliesOutcome(status, outcome)) return null;
  const { icon: OutcomeIcon, color } = OUTCOME_APPEARANCE[outcome];
  const isShownElsewhere = attempts.length > 1 || code === STOPPED;
  const isCancelledSingle = outcome === 'cancelled' && !groupId;
  const reason =
    !isShownElsewhere && code && t(`sendings:error.${code}`, { defaultValue: error ?? code });
  return (
    <Alert color={color} icon={<OutcomeIcon aria-hidden />}>
      <Text size="sm" fw={500}>
        {isCancelledSingle ? t('sendings:cancel.done') : t(`sendings:decided.${outcome}`)}
      </Text>
      {reason && (
        <Text size="sm" mt={4}>
          {reason}
        </Text>
      )}
    </Alert>
  );
}

/** The price of a message, from the ledger where the user may read it, with its calculation. */
function SendingPrice({ meta: { billing }, Owner }: Pick<Sending, 'meta' | 'Owner'>) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats(Owner?.currency);
  const { data: entry } = useQuery({
    ...billingQuery(billing?.id ?? ''),
    enabled: !!billing && can('billings.find'),
  });
  if (!billing) return null;
  const isRefunded = entry ? entry.status === 'refunded' : billing.refunded;
  const { price, multiplier, call } = billing;
  return (
    <>
      <Charge
        // The entry of a call is its reserve.
        amount={Math.abs((call ? undefined : entry?.amount) ?? billing.amount)}
        of={billing.package}
        currency={Owner?.currency}
        isRefunded={isRefunded}
      />
      {typeof price === 'number' && multiplier > 1 && (
        <Text size="xs" c="dimmed" className="numeric">
          {t('sendings:detail.reckoned', {
            multiplier: formats.number(multiplier),
            price: formats.money(price),
          })}
        </Text>
      )}
      {call && !isRefunded && (
        <Text size="xs" c="dimmed" className="numeric">
          {call.seconds === null
            ? t('sendings:detail.callReserved')
            : t('sendings:detail.callSettled', {
                seconds: formats.seconds(call.seconds),
                charged: formats.seconds(multiplier),
                reserved: formats.money(call.reserved),
              })}
        </Text>
      )}
      {billing.volumeStep && (
        <Text size="xs" c="dimmed" className="numeric">
          {t('sendings:detail.volumeStep', {
            percent: formats.number(billing.volumeStep.percent),
            from: formats.number(billing.volumeStep.from),
          })}
        </Text>
      )}
      {entry?.refundedAt && (
        <Text size="xs" c="dimmed">
          {t('sendings:detail.refundedAt', { time: formats.dateTime(entry.refundedAt) })}
        </Text>
      )}
    </>
  );
}
