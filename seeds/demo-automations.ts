import { CUSTOMERS } from './demo-contacts.ts';

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

const ANSWER = {
  id: '01930000-0000-7000-8000-000000000901',
  title: 'Подарок за слово ЧАЙ',
  trigger: { when: 'keyword', keywords: ['чай'], mode: 'equals' },
  steps: [
    {
      id: 1,
      do: 'message',
      type: 'sms',
      sender: 'MIRTEA',
      text: '{firstName|Здравствуйте}, дарим 50 граммов улуна к заказу. Код: TEA50',
    },
    { id: 2, do: 'wait', amount: 3, unit: 'days' },
    { id: 3, do: 'stop', if: 'replied' },
    { id: 4, do: 'tag', add: ['подарок'], remove: [] },
  ],
};
const BIRTHDAY = {
  id: '01930000-0000-7000-8000-000000000902',
  title: 'С днём рождения',
  trigger: { when: 'date', field: 'date', ListId: null, time: '11:00' },
  steps: [
    {
      id: 1,
      do: 'message',
      type: 'sms',
      sender: 'MIRTEA',
      text: '{firstName}, с днём рождения! Сегодня любой чай за полцены.',
    },
  ],
};

/** Of those who have written the word: days ago, and how they came to an end; without one they wait. */
const PEOPLE: { contact: number; ago: number; end?: 'done' | 'stopped' }[] = [
  { contact: 12, ago: 0.6 },
  { contact: 31, ago: 1.4 },
  { contact: 9, ago: 2.2 },
  { contact: 26, ago: 5.1, end: 'done' },
  { contact: 18, ago: 6.7, end: 'stopped' },
  { contact: 40, ago: 8.3, end: 'done' },
  { contact: 22, ago: 9.9, end: 'done' },
];
const TAKEN = { waiting: [1, 2], done: [1, 2, 3, 4], stopped: [1, 2, 3] };
const WAIT_DAYS = 3;

/** Automations of a demo account: one at work, with the people in it, and a draft. Its messages are delivered, and free, so they change no balance. */
export async function seedAutomations(query: Query, OwnerId: string): Promise<void> {
  const people = PEOPLE.map(({ contact, ago, end }) => {
    const { phone, firstName } = CUSTOMERS[contact]!;
    const state = end ?? 'waiting';
    const text = ANSWER.steps[0]!.text!.replace('{firstName|Здравствуйте}', firstName);
    return { phone, ago, state, text, taken: TAKEN[state] };
  });
  const takers = (step: number) => ({
    taken: people.filter(({ taken }) => taken.includes(step)).length,
    held: {},
  });
  const counts = {
    entered: people.length,
    done: people.filter(({ state }) => state === 'done').length,
    stopped: people.filter(({ state }) => state === 'stopped').length,
    steps: Object.fromEntries(ANSWER.steps.map(({ id }) => [id, takers(id)])),
  };
  await query(
    `insert into automations (id, owner_id, user_id, title, trigger, steps, last_step, time_zone, is_active, started_at, counts, created_at, updated_at)
     select r.id, $1, $1, r.title, r.trigger, r.steps, jsonb_array_length(r.steps), 'Europe/Moscow', r.counts is not null,
            case when r.counts is not null then now() - interval '10 days' end, coalesce(r.counts, '{}'), now() - interval '11 days', now() - interval '10 days'
       from jsonb_to_recordset($2) as r(id uuid, title text, trigger jsonb, steps jsonb, counts jsonb)`,
    [OwnerId, JSON.stringify([{ ...ANSWER, counts }, BIRTHDAY])],
  );
  await query(
    `with p as (
       select uuidv7(make_interval(secs => -ago * 86400)) as id, now() - make_interval(secs => ago * 86400) as at, phone, state, text, array(select jsonb_array_elements_text(taken)::int) as taken
         from jsonb_to_recordset($2) as r(phone text, ago float8, state text, text text, taken jsonb)
     ), batch as (
       insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, submitted_at, closed_at, created_at, updated_at)
       select $1, 'simulator', 1, 0, 3, 1, id, id, at, at, at, at, at from p returning id, first_id
     ), sent as (
       insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, body, sent_at, delivered_at)
       select p.id, $1, b.id, 1, 2, 3, 1, 0, 'MIRTEA', p.phone, p.text, p.at, p.at + interval '4 seconds' from p join batch b on b.first_id = p.id
     )
     insert into automation_runs (automation_id, owner_id, address, occurrence, contact_id, state, taken, sending_id, due_at, ended_at, created_at, id)
     select $3, $1, p.phone, to_char(p.at, 'YYYY-MM-DD'), c.id, p.state, p.taken, p.id,
            case when p.state = 'waiting' then p.at + make_interval(days => $4) end, case when p.state <> 'waiting' then p.at + make_interval(days => $4) end, p.at, p.id
       from p left join lateral (select c.id from contact_lists l join contacts c on c.list_id = l.id where l.owner_id = $1 and l.type = 'regular' and c.phone = p.phone order by c.id desc limit 1) c on true`,
    [OwnerId, JSON.stringify(people), ANSWER.id, WAIT_DAYS],
  );
}
