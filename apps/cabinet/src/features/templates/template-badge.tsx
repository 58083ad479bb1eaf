import type { Moderation } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconCheck, IconClock, IconX } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

const LOOK = {
  pending: { color: 'gray', icon: IconClock },
  approved: { color: 'green', icon: IconCheck },
  rejected: { color: 'red', icon: IconX },
};

export function TemplateBadge({ moderation }: { moderation: Moderation }) {
  const { t } = useTranslation();
  return <StatusBadge look={LOOK[moderation]} label={t(`templates:moderation.${moderation}`)} />;
}
