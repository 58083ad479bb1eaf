import type { Permission, Preset } from '@heliograph/contract';
import type { Icon } from '@tabler/icons-react';
import { IconAudit, IconLock, IconLogin, IconToken, IconUser } from '../../ui/icons.ts';

export interface AccountTab {
  to: string;
  /** Key in the shell's catalogue, which the account menu shares. */
  label: string;
  icon: Icon;
  can: Permission;
}

/** The tabs of the account page in their order, which are the links of the account menu too. */
export const ACCOUNT_TABS: AccountTab[] = [
  { to: '/account/profile', label: 'shell:account.profile', icon: IconUser, can: 'users.get' },
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
