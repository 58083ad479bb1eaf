import { useTranslation } from 'react-i18next';
import { IconCheck, IconChecks } from '../../ui/icons.ts';

const MIDDLE = { flexShrink: 0, verticalAlign: 'middle' } as const;

/** One tick: sent; two: read. */
export function ReadMark({ isRead }: { isRead: boolean }) {
  const { t } = useTranslation();
  const label = isRead ? t('notifications:read') : t('notifications:unread');
  const color = isRead ? 'var(--app-brand-text)' : 'var(--mantine-color-dimmed)';
  const Mark = isRead ? IconChecks : IconCheck;
  return <Mark size={18} role="img" aria-label={label} color={color} style={MIDDLE} />;
}
