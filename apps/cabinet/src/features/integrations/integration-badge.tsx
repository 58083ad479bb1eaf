import type { Integration } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconBan, IconChecks, IconClock, IconX } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

const STATES: Record<Integration['state'], BadgeAppearance> = {
  waiting: { color: 'yellow', icon: IconClock },
  working: { color: 'green', icon: IconChecks },
  failing: { color: 'red', icon: IconX },
  off: { color: 'gray', icon: IconBan },
};

export function IntegrationBadge({ state }: Pick<Integration, 'state'>) {
  const { t } = useTranslation();
  return <StatusBadge appearance={STATES[state]} label={t(`integrations:state.${state}`)} />;
}
