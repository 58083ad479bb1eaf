import type { Suppression } from '@heliograph/contract';
import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { Time } from '../../ui/time.tsx';

export function useSuppressionColumns(): GridColumn<Suppression>[] {
  const { t } = useTranslation();
  const mayOpen = useCan()('sendings.get');
  return useMemo(
    () => [
      {
        id: 'address',
        header: t('suppressions:address'),
        cell: ({ address }) => (
          <Blurred what={t('suppressions:address')}>
            <span className="numeric">{address}</span>
          </Blurred>
        ),
        card: 'title',
      },
      {
        id: 'type',
        header: t('suppressions:covers'),
        cell: ({ type }) => (type ? t(`common:type.${type}`) : t('suppressions:allTypes')),
        width: 190,
        card: 'end',
      },
      {
        id: 'reason',
        header: t('suppressions:reasonLabel'),
        cell: ({ reason, SendingId }) =>
          SendingId && mayOpen ? (
            <Anchor component={Link} to={`/messages/outgoing?id=${SendingId}`} inherit>
              {t(`suppressions:reason.${reason}`)}
            </Anchor>
          ) : (
            t(`suppressions:reason.${reason}`)
          ),
        width: 230,
        card: 'note',
      },
      {
        id: 'note',
        header: t('suppressions:note'),
        cell: ({ note }) => note,
        hideBelow: 'lg',
        card: 'body',
      },
      {
        id: 'createdAt',
        header: t('suppressions:since'),
        cell: ({ createdAt }) => <Time at={createdAt} />,
        sortable: true,
        width: 160,
        card: 'note',
      },
    ],
    [t, mayOpen],
  );
}
