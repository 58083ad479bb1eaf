import type { Permission, Preset } from '@heliograph/contract';
import type { Icon } from '@tabler/icons-react';
import { useCan, useSettings } from '../../core/settings.ts';
import {
  IconAudit,
  IconLock,
  IconLogin,
  IconRequisites,
  IconToken,
  IconUser,
} from '../../ui/icons.ts';

export interface AccountTab {
  to: string;
  /** Key in the shell's catalogue, which the account menu shares. */
  label: string;
  icon: Icon;
  can: Permission;
  /** Hidden in an installation for individuals only. */
  isForLegalPayers?: true;
}

/** The tabs of the account page in their order, which are the links of the account menu too. */
export const ACCOUNT_TABS: AccountTab[] = [
  { to: '/account/profile', label: 'shell:account.profile', icon: IconUser, can: 'users.get' },
  {
    to: '/account/requisites',
    label: 'shell:account.requisites',
    icon: IconRequisites,
    can: 'requisites.get',
    isForLegalPayers: true,
  },
  { to: '/account/tokens', label: 'shell:account.tokens', icon: IconToken, can: 'tokens.get' },
  { to: '/account/password', label: 'shell:account.password', icon: IconLock, can: 'users.get' },
  {
    to: '/account/telemetry',
    label: 'shell:account.visits',
    icon: IconLogin,
    can: 'telemetry.get',
  },
  { to: '/account/audit', label: 'shell:account.audit', icon: IconAudit, can: 'audit.find' },
];

export const accountTabs = (can: (permission: Permission, accept?: Preset) => boolean) =>
  ACCOUNT_TABS.filter((tab) => can(tab.can));

/** The tabs that the user may open in this installation. */
export function useAccountTabs(): AccountTab[] {
  const can = useCan();
  const { isRestricted } = useSettings().advanced;
  return accountTabs(can).filter((tab) => !tab.isForLegalPayers || !isRestricted);
}
