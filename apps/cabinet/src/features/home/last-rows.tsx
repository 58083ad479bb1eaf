import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { pollEvery } from '../../core/query.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { Charge } from '../../ui/charge.tsx';
import { SendingBadge } from '../sendings/sending-badge.tsx';
import { lastBillingsQuery, lastSendingsQuery } from './home.api.ts';
import { Widget } from './widget.tsx';

/** Rows also leave the last five minutes without an event. */
const MOVING = { refetchInterval: pollEvery(30_000) };

/** All of them are of the last minutes. */
function TimeOfDay({ at }: { at: string }) {
  const formats = useFormats();
  return (
    <time dateTime={at} title={formats.dateTime(at)} className="numeric">
      {formats.time(at)}
    </time>
  );
}

export function LastSendings() {
  const { t } = useTranslation();
  const allowed = useCan()('sendings.get');
  const answer = useQuery({ ...lastSendingsQuery, ...MOVING, enabled: allowed });
  if (!allowed) return null;
  return (
    <Widget title={t('home:last.sendings')} answer={answer} empty={t('home:last.none')} tall>
      {(row) => (
        <>
          <td>
            <Anchor component={Link} to={`/messages/outgoing?id=${row.id}`} size="sm">
              <TimeOfDay at={row.createdAt} />
            </Anchor>
          </td>
          <td>{t(`common:type.${row.type}`)}</td>
          <td className="numeric">
            <Blurred what={t('sendings:recipient')}>{row.recipient}</Blurred>
          </td>
          <td>
            <SendingBadge {...row} />
          </td>
        </>
      )}
    </Widget>
  );
}

export function LastBillings() {
  const { t } = useTranslation();
  const allowed = useCan()('billings.find');
  const answer = useQuery({ ...lastBillingsQuery, ...MOVING, enabled: allowed });
  if (!allowed) return null;
  return (
    <Widget title={t('home:last.billings')} answer={answer} empty={t('home:last.none')}>
      {(row) => {
        const type = row.source.replace(/^sendings\./, '');
        return (
          <>
            <td>
              <Anchor component={Link} to={`/balance/billings?id=${row.id}`} size="sm">
                <TimeOfDay at={row.createdAt} />
              </Anchor>
            </td>
            <td>{row.source === type ? t(`home:source.${type}`) : t(`common:type.${type}`)}</td>
            <td>
              <Blurred what={t('home:amount')}>
                <Charge
                  amount={row.amount}
                  of={row.package}
                  currency={row.Owner?.currency}
                  isRefunded={row.status === 'refunded'}
                />
              </Blurred>
            </td>
          </>
        );
      }}
    </Widget>
  );
}
