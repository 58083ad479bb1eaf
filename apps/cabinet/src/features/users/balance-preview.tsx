import type { User } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useBalance } from '../../core/account.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Facts } from '../../ui/facts.tsx';
import { balanceAfter, counterBalance, type BalanceValues } from './balance-values.ts';

interface BalancePreviewProps {
  user: User;
  values: BalanceValues;
  isTransfer: boolean;
}

/** The balance before and after; of a transfer also the balance on the other side. */
export function BalancePreview({ user, values, isTransfer }: BalancePreviewProps) {
  const { t } = useTranslation();
  const formats = useFormats(user.currency);
  const own = useBalance().data?.balance;
  const before = user.balance ?? 0;
  const after = balanceAfter(before, values);
  return (
    <div aria-live="polite">
      <Facts
        facts={[
          { label: t('users:before'), value: formats.money(before) },
          {
            label: t('users:after'),
            value: after === null ? '—' : <strong>{formats.money(after)}</strong>,
          },
          ...(isTransfer && own !== undefined
            ? [{ label: t('users:yours'), value: formats.money(counterBalance(own, values)) }]
            : []),
        ]}
      />
    </div>
  );
}
