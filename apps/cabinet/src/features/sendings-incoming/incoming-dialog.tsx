import { Button, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SendingIncoming } from '@heliograph/contract';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconReply } from '../../ui/icons.ts';
import { PersonLink } from '../../ui/person-link.tsx';
import { IncomingSection } from './incoming-section.tsx';
import { incomingQuery } from './incoming.api.ts';
import { replyTo } from './reply.ts';

/** One incoming message in full, `?id=`, with the ways on from it. */
export function IncomingDialog() {
  const { t } = useTranslation();
  const detail = useDetail(incomingQuery);
  return (
    <Dialog {...detail.frame} size={600} title={t('incoming:detail')}>
      <DetailBody detail={detail} failed={t('incoming:detailFailed')}>
        {(message) => <Details message={message} />}
      </DetailBody>
    </Dialog>
  );
}

function Details({ message }: { message: SendingIncoming }) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const { type, from, to, payload, SendingId, OwnerId } = message;
  return (
    <Stack>
      <IncomingSection payload={payload} />
      <Facts
        facts={[
          { label: t('incoming:type'), value: t(`common:type.${type}`) },
          {
            label: t('incoming:from'),
            value: (
              <Blurred what={t('incoming:from')}>
                <span className="numeric">
                  <PersonLink address={from} OwnerId={OwnerId}>
                    {from}
                  </PersonLink>
                </span>
              </Blurred>
            ),
          },
          {
            label: t('incoming:to'),
            value: to && <Blurred what={t('incoming:to')}>{to}</Blurred>,
          },
          {
            label: t('incoming:owner'),
            value: message.Owner && (
              <Blurred what={t('incoming:owner')}>{message.Owner.username}</Blurred>
            ),
          },
          {
            label: t('incoming:created'),
            value: <time dateTime={message.createdAt}>{formats.dateTime(message.createdAt)}</time>,
          },
          { label: t('incoming:id'), value: <CopyId id={message.id} /> },
        ]}
      />
      <Group>
        {can('sendings.generate') && (
          <Button
            component={Link}
            to={replyTo(message)}
            leftSection={<IconReply size={18} aria-hidden />}
          >
            {t('incoming:reply')}
          </Button>
        )}
        {SendingId && can('sendings.get') && (
          <Button variant="default" component={Link} to={`/messages/outgoing?id=${SendingId}`}>
            {t('incoming:answered')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
