import type { Automation } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconBan, IconEdit, IconPause, IconPlay } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

export type AutomationState = 'draft' | 'active' | 'paused' | 'stopped';

/** Whether it runs, or why it does not. */
export const stateOf = ({
  isActive,
  reason,
  startedAt,
}: Pick<Automation, 'isActive' | 'reason' | 'startedAt'>): AutomationState =>
  isActive ? 'active' : reason ? 'stopped' : startedAt ? 'paused' : 'draft';

const APPEARANCE: Record<AutomationState, BadgeAppearance> = {
  draft: { color: 'gray', icon: IconEdit },
  active: { color: 'green', icon: IconPlay },
  paused: { color: 'gray', icon: IconPause },
  stopped: { color: 'red', icon: IconBan },
};

export function AutomationBadge({ state }: { state: AutomationState }) {
  const { t } = useTranslation();
  return <StatusBadge appearance={APPEARANCE[state]} label={t(`automations:state.${state}`)} />;
}
