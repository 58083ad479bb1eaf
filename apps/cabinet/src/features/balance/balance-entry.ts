import { partsEntry } from '../../core/parts-entry.ts';
import { balanceTabs } from './balance-tabs.ts';

/** `/balance` redirects to the first permitted tab. */
export const balanceEntry = partsEntry('/balance', balanceTabs, '/balance/billings');
