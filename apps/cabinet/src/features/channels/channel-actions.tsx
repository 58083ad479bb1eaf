import type { Channel } from '@heliograph/contract';
import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconPower, IconSend, IconTrash } from '../../ui/icons.ts';
import { useUpdateChannel } from './channels.api.ts';

interface ChannelActionsProps {
  channel: Channel;
  onTest: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

export function ChannelActions({ channel, onTest, onEdit, onRemove }: ChannelActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { name, isActive } = channel;
  const { mutate, isPending } = useUpdateChannel(name, false);
  const mayUpdate = can('channels.update');
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {mayUpdate && (
        <>
          <IconAction
            icon={IconSend}
            word="test"
            label={t('channels:testOf', { name })}
            onClick={onTest}
          />
          <IconAction
            icon={IconPower}
            word={isActive ? 'turnOff' : 'turnOn'}
            label={t(isActive ? 'channels:switchOff' : 'channels:switchOn', { name })}
            disabled={isPending}
            onClick={() => mutate({ isActive: !isActive })}
          />
          <IconAction
            icon={IconEdit}
            word="edit"
            label={t('channels:edit', { name })}
            shortcut="e"
            onClick={onEdit}
          />
        </>
      )}
      {can('channels.remove') && (
        <IconAction
          icon={IconTrash}
          word="remove"
          label={t(isActive ? 'channels:removeOff' : 'channels:remove', { name })}
          disabled={isActive}
          onClick={onRemove}
        />
      )}
    </Group>
  );
}
