import type { Channel } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { DetailBody } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ChannelForm } from './channel-form.tsx';
import { driversQuery } from './channels.api.ts';

interface ChannelDialogProps {
  opened: boolean;
  /** The channel that is edited; none is a new one. */
  row: Channel | null;
  onClose: () => void;
}

export function ChannelDialog({ opened, row, onClose }: ChannelDialogProps) {
  const { t } = useTranslation();
  const last = useLast(row, opened);
  const drivers = useQuery({ ...driversQuery, enabled: opened });
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={last ? t('channels:edit', { name: last.name }) : t('channels:createTitle')}
      size={600}
    >
      <DetailBody detail={drivers} failed={t('channels:detailFailed')}>
        {({ data }) => <ChannelForm row={last} drivers={data} onClose={onClose} />}
      </DetailBody>
    </Dialog>
  );
}
