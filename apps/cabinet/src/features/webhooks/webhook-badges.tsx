import type { DeliveryState, Webhook } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconBan, IconChecks, IconClock, IconPause, IconX } from '../../ui/icons.ts';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';

const STATES: Record<Webhook['state'], BadgeAppearance> = {
  active: { color: 'green', icon: IconChecks },
  paused: { color: 'orange', icon: IconPause },
  disabled: { color: 'red', icon: IconBan },
};

export function WebhookBadge({ state }: Pick<Webhook, 'state'>) {
  const { t } = useTranslation();
  return <StatusBadge appearance={STATES[state]} label={t(`webhooks:state.${state}`)} />;
}

const DELIVERIES: Record<DeliveryState, BadgeAppearance> = {
  waiting: { color: 'yellow', icon: IconClock },
  delivered: { color: 'green', icon: IconChecks },
  failed: { color: 'red', icon: IconX },
};

export function DeliveryBadge({ state }: { state: DeliveryState }) {
  const { t } = useTranslation();
  return <StatusBadge appearance={DELIVERIES[state]} label={t(`webhooks:delivery.${state}`)} />;
}
