import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
import { approvedQuery, sendernameKind } from './sendernames.api.ts';

/** Says where a sender name comes from, to who has none for a channel that needs an approved one. */
export function NoSendernamesSection({ type, OwnerId }: { type: string; OwnerId?: string }) {
  const { t } = useTranslation();
  const { sendings, session } = useSettings();
  const isChecked = (sendings.sendernamesCheck as string[]).includes(type);
  const { data } = useQuery({
    ...approvedQuery(type, OwnerId ?? session.OwnerId),
    enabled: useCan()('sendernames.get') && isChecked,
  });
  if (!isChecked || !data || data.data.some((row) => row.isActive)) return null;
  return (
    <Text size="sm" mt={4} role="status">
      {t('sendernames:select.none')}{' '}
      <Anchor component={Link} to={`/settings/sendernames?create=${sendernameKind(type)}`} inherit>
        {t('sendernames:select.request')}
      </Anchor>
    </Text>
  );
}
