import type { Db } from './core/db/db.ts';
import type { Problem } from './core/db/find-problems.ts';
import { verifyClosings } from './features/accounts/verify.store.ts';
import { verifyRollups } from './features/analytics/verify.store.ts';
import { verifyAutomations } from './features/automations/verify.store.ts';
import { verifyOperations } from './features/billing-operations/verify.store.ts';
import { verifyLedger } from './features/billings/verify.store.ts';
import { verifyInvoices } from './features/documents/verify.store.ts';
import { verifyMonthlyMinimums } from './features/monthly-minimums/verify.store.ts';
import { verifyOtp } from './features/otp/verify.store.ts';
import { verifyPayments } from './features/payments/verify.store.ts';
import { verifyRecurrentPayments } from './features/recurrent-payments/verify.store.ts';
import { verifyReferrals } from './features/referrals/verify.store.ts';
import { verifyWapi } from './features/wapi/verify.store.ts';
import { verifySendings } from './features/sendings/verify.store.ts';

/** Checks the invariants of all data. An empty array means that it is consistent. */
export async function verify(db: Db): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const check of [
    verifyLedger,
    verifyMonthlyMinimums,
    verifyClosings,
    verifyPayments,
    verifyRecurrentPayments,
    verifyReferrals,
    verifyInvoices,
    verifyOperations,
    verifySendings,
    verifyRollups,
    verifyOtp,
    verifyWapi,
    verifyAutomations,
  ])
    problems.push(...(await check(db)));
  return problems;
}
