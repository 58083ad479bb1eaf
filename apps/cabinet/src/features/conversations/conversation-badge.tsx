import type { ConversationState } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconCheck, IconClock, IconLock } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

const APPEARANCE: Record<ConversationState, BadgeAppearance> = {
  waiting: { color: 'yellow', icon: IconClock },
  answered: { color: 'green', icon: IconCheck },
  closed: { color: 'gray', icon: IconLock },
};

export function ConversationBadge({ state }: { state: ConversationState }) {
  const { t } = useTranslation();
  return <StatusBadge appearance={APPEARANCE[state]} label={t(`conversations:state.${state}`)} />;
}
