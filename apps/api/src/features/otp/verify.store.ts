import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';

/** Invariants of one-time codes; each statement selects the rows that break one. Their messages are checked with the others. */
const RULES: Record<string, string> = {
  'a session of a one-time code is confirmed if and only if it says when and by what': `
    select id, 'state ' || state || ', confirmed by ' || coalesce(confirmed_by, 'nothing') as detail from otp_sessions
     where (state in (1, 2)) is distinct from (confirmed_at is not null) or num_nonnulls(confirmed_at, confirmed_by) = 1`,
  'the messages of a session are of its account': `
    select o.id, 'message ' || s.id || ' of ' || s.owner_id as detail
      from otp_sessions o join sendings s on s.id = o.chain_id where s.owner_id <> o.owner_id`,
  'codes are kept no longer than their session is open': `
    select o.id, 'state ' || o.state as detail
      from otp_sessions o join sealed_texts t on t.chain_id = o.chain_id where o.state in (1, 2)`,
};

export const verifyOtp = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
