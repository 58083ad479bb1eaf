import type { Icon } from '@tabler/icons-react';
import type { MayOpen, PagePath } from '../../core/access.ts';
import { IconCoins, IconInvoice, IconReferral, IconRepeat, IconWallet } from '../../ui/icons.ts';

export interface BalanceTab {
  to: PagePath;
  /** Key in the shell's catalogue. */
  label: string;
  icon: Icon;
}

/** The tabs of the balance page in their order: payments, recurrent payments, billings, invoices, referrals. */
export const BALANCE_TABS: BalanceTab[] = [
  {
    to: '/balance/payments',
    label: 'shell:balance.payments',
    icon: IconWallet,
  },
  {
    to: '/balance/recurrentPayments',
    label: 'shell:balance.recurrentPayments',
    icon: IconRepeat,
  },
  {
    to: '/balance/billings',
    label: 'shell:balance.billings',
    icon: IconCoins,
  },
  {
    to: '/balance/invoices',
    label: 'shell:balance.invoices',
    icon: IconInvoice,
  },
  {
    to: '/balance/referrals',
    label: 'shell:balance.referrals',
    icon: IconReferral,
  },
];

export const balanceTabs = (mayOpen: MayOpen) => BALANCE_TABS.filter(({ to }) => mayOpen(to));
