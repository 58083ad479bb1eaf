import { ConcurrentIndexes } from './concurrently.ts';

/** The entries of referral bonuses of an account, and the bonuses by referred account. 4 is the origin `referral`. */
export class ReferralEntries1763700000067 extends ConcurrentIndexes {
  protected readonly indexes = {
    billings_referral: 'on billings (owner_id, status, id) where origin = 4',
    referral_bonuses_referred: 'on referral_bonuses (owner_id, referred_id)',
  };
}
