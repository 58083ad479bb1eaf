import type { ContactList } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconBan, IconContacts } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

const APPEARANCE = {
  regular: { color: 'blue', icon: IconContacts },
  blacklist: { color: 'gray', icon: IconBan },
};

export function ContactListBadge({ type }: Pick<ContactList, 'type'>) {
  const { t } = useTranslation();
  return <StatusBadge appearance={APPEARANCE[type]} label={t(`contactLists:types.${type}`)} />;
}
