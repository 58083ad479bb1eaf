import { partsEntry } from '../../core/parts-entry.ts';
import { ACCOUNT_TABS, accountTabs } from './account-tabs.ts';

/** `/account` redirects to the first permitted tab. */
export const accountEntry = partsEntry('/account', accountTabs, ACCOUNT_TABS[0]!.to);
