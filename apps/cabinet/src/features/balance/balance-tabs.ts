import type { Permission, Preset } from '@heliograph/contract';
import type { Icon } from '@tabler/icons-react';
import { IconCoins, IconInvoice, IconReferral, IconRepeat, IconWallet } from '../../ui/icons.ts';

export interface BalanceTab {
  to: string;
  /** Key in the shell's catalogue. */
  label: string;
  icon: Icon;
  can: Permission;
  /** Not in an installation for individuals only. */
  isForLegalPayers?: boolean;
}

/** The tabs of the balance page in their order: payments, recurrent payments, billings, invoices, referrals. */
export const BALANCE_TABS: BalanceTab[] = [
  {
    to: '/balance/payments',
    label: 'shell:balance.payments',
    icon: IconWallet,
    can: 'payments.get',
  },
  {
    to: '/balance/recurrentPayments',
    label: 'shell:balance.recurrentPayments',
    icon: IconRepeat,
    can: 'recurrentPayments.get',
  },
  {
    to: '/balance/billings',
    label: 'shell:balance.billings',
    icon: IconCoins,
    can: 'billings.find',
  },
  {
    to: '/balance/invoices',
    label: 'shell:balance.invoices',
    icon: IconInvoice,
    can: 'invoices.get',
    isForLegalPayers: true,
  },
  {
    to: '/balance/referrals',
    label: 'shell:balance.referrals',
    icon: IconReferral,
    can: 'billings.find',
  },
];

export const balanceTabs = (can: (permission: Permission, accept?: Preset) => boolean) =>
  BALANCE_TABS.filter((tab) => can(tab.can));
