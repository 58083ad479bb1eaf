import type { Icon } from '@tabler/icons-react';
import type { MayOpen, PagePath } from '../../core/access.ts';
import { useMayOpen } from '../../core/settings.ts';
import {
  IconAudit,
  IconLock,
  IconLogin,
  IconRequisites,
  IconToken,
  IconUser,
  IconUsers,
} from '../../ui/icons.ts';

export interface AccountTab {
  to: PagePath;
  /** Key in the shell's catalogue, which the account menu shares. */
  label: string;
  icon: Icon;
}

/** The tabs of the account page in their order, which are the links of the account menu too. */
export const ACCOUNT_TABS: AccountTab[] = [
  { to: '/account/profile', label: 'shell:account.profile', icon: IconUser },
  {
    to: '/account/requisites',
    label: 'shell:account.requisites',
    icon: IconRequisites,
  },
  { to: '/account/team', label: 'shell:account.team', icon: IconUsers },
  { to: '/account/tokens', label: 'shell:account.tokens', icon: IconToken },
  { to: '/account/password', label: 'shell:account.password', icon: IconLock },
  {
    to: '/account/telemetry',
    label: 'shell:account.visits',
    icon: IconLogin,
  },
  { to: '/account/audit', label: 'shell:account.audit', icon: IconAudit },
];

export const accountTabs = (mayOpen: MayOpen) => ACCOUNT_TABS.filter(({ to }) => mayOpen(to));

/** The tabs that the user may open in this installation. */
export const useAccountTabs = (): AccountTab[] => accountTabs(useMayOpen());
