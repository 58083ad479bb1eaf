import type { OtpWidget } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { IconBan, IconChecks, IconPause } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

const STATES = {
  active: { color: 'green', icon: IconChecks },
  off: { color: 'orange', icon: IconPause },
  blocked: { color: 'red', icon: IconBan },
};
const stateOf = ({ isActive, isBlocked }: OtpWidget) =>
  isBlocked ? 'blocked' : isActive ? 'active' : 'off';

export function useWidgetColumns(): GridColumn<OtpWidget>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<OtpWidget>[] => [
      {
        id: 'name',
        header: t('widgets:name'),
        cell: (row) => row.name,
        sortable: true,
        card: 'title',
      },
      {
        id: 'state',
        header: t('widgets:stateLabel'),
        cell: (row) => (
          <StatusBadge
            appearance={STATES[stateOf(row)]}
            label={t(`widgets:state.${stateOf(row)}`)}
          />
        ),
        width: 170,
        card: 'end',
      },
      {
        id: 'channels',
        header: t('widgets:order.label'),
        cell: ({ otpWidgetChannelSettings: all }) =>
          all.length
            ? all.map(({ otpChannelSettings }) => otpChannelSettings.name).join(' → ')
            : t('widgets:order.none'),
        card: 'body',
      },
      {
        id: 'captcha',
        header: t('widgets:captcha.label'),
        cell: (row) =>
          row.captchaIsRequired
            ? t(`widgets:captcha.provider.${row.captchaProvider}`)
            : t('widgets:captcha.off'),
        width: 180,
        hideBelow: 'lg',
        card: 'note',
      },
      timeColumn('createdAt', t('widgets:created'), { width: 140, hideBelow: 'lg', card: 'note' }),
    ],
    [t],
  );
}
