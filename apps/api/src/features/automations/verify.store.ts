import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import { ENDS } from './automation.entity.ts';

/** Of those who have entered, as the automation counts them; people are deleted after a time, their counts stay. */
const COUNTED: Record<string, string> = {
  entered: `state <> 'new'`,
  ...Object.fromEntries(ENDS.map((end) => [end, `state = '${end}'`])),
};

/** Invariants of automations and the people in them; each statement selects the rows that break one. */
const RULES: Record<string, string> = {
  'an automation has counted fewer people than it has': Object.entries(COUNTED)
    .map(
      ([name, condition]) => `
    select a.id, '${name} ' || r.n || ', counted ' || coalesce(a.counts->>'${name}', '0') as detail
      from automations a join (
        select automation_id, count(*) as n from automation_runs where state <> 'member' and ${condition} group by 1) r on r.automation_id = a.id
     where r.n > coalesce((a.counts->>'${name}')::bigint, 0)`,
    )
    .join(' union all '),
  'a step of an automation was taken by more people than it has counted': `
    select a.id, 'step ' || t.step || ': ' || t.n as detail
      from (select automation_id, step, count(*) as n from automation_runs, unnest(taken) step group by 1, 2) t join automations a on a.id = t.automation_id
     where t.n > coalesce((a.counts #>> array['steps', t.step::text, 'taken'])::bigint, 0)`,
  'a person takes a step of an automation once': `
    select r.id, r.taken::text as detail from automation_runs r join automations a on a.id = r.automation_id
     where cardinality(r.taken) <> (select count(distinct step) from unnest(r.taken) step where step between 1 and a.last_step)`,
  'who has passed a message of an automation has it, or the reason why not': `
    select r.id, r.taken::text as detail from automation_runs r join automations a on a.id = r.automation_id
     where r.sending_id is null and r.code is null
       and exists (select 1 from jsonb_array_elements(a.steps) step where step->>'do' in ('message', 'template') and (step->>'id')::int = any(r.taken))`,
  'a message of an automation belongs to a step that one person has taken, and to the account': `
    select r.id, r.sending_id::text as detail from automation_runs r where r.sending_id is not null and r.taken = '{}'
    union all
    select (min(r.id::text))::uuid, r.sending_id::text from automation_runs r where r.sending_id is not null group by r.sending_id having count(*) > 1
    union all
    select r.id, 'message of ' || s.owner_id from automation_runs r join sendings s on s.id = r.sending_id where s.owner_id <> r.owner_id`,
  'a person in an automation waits for a step, or has come to an end': `
    select id, state as detail from automation_runs where (state in ('new', 'waiting')) is distinct from (due_at is not null)`,
  'an automation that is paused looks for nobody, and one that runs has no reason not to': `
    select id, coalesce(reason, 'looks') as detail from automations
     where is_active and reason is not null or not is_active and num_nonnulls(next_scan_at, scan_at) > 0`,
};

export const verifyAutomations = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
