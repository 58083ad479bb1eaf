import { CUSTOMERS } from './demo-contacts.ts';

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** Stored integers of channel types. */
const SMS = 1;
const VIBER = 4;

interface Message {
  /** Minutes ago. */
  ago: number;
  text: string;
  isReply?: true;
}
interface Talk {
  address: string;
  type: number;
  state: 'waiting' | 'answered' | 'closed';
  unread: number;
  messages: Message[];
}

const TALKS: Talk[] = [
  {
    address: CUSTOMERS[0]!.phone,
    type: SMS,
    state: 'waiting',
    unread: 2,
    messages: [
      { ago: 190, text: 'Добрый день! Улун снова есть?' },
      { ago: 184, text: 'Здравствуйте! Да, привезли сегодня утром.', isReply: true },
      { ago: 26, text: 'Отлично, отложите, пожалуйста, 100 граммов.' },
      { ago: 25, text: 'И до какого часа вы работаете?' },
    ],
  },
  {
    address: CUSTOMERS[3]!.phone,
    type: VIBER,
    state: 'answered',
    unread: 0,
    messages: [
      { ago: 1500, text: 'Можно заменить чёрный чай на зелёный в заказе 1042?' },
      { ago: 1490, text: 'Заменили, сумма не изменилась.', isReply: true },
      { ago: 1480, text: 'Спасибо!' },
      { ago: 1478, text: 'Всегда рады. Хорошего чаепития!', isReply: true },
    ],
  },
  {
    address: '+79005550177',
    type: SMS,
    state: 'closed',
    unread: 0,
    messages: [{ ago: 5800, text: 'Спасибо, чай вкусный' }],
  },
];

/** Conversations of a demo account. Its replies are delivered, and free, so they change no balance. */
export async function seedConversations(query: Query, OwnerId: string): Promise<void> {
  for (const { address, type, state, unread, messages } of TALKS) {
    await query(
      `with m as (
         select uuidv7(make_interval(mins => -ago)) as id, now() - make_interval(mins => ago) as at, text, coalesce("isReply", false) as is_reply, ago
           from jsonb_to_recordset($4::jsonb) as r(ago int, text text, "isReply" boolean)
       ), received as (
         insert into sendings_incoming (id, owner_id, type, "from", "to", payload)
         select id, $1, $3, $2, 'MIRTEA', jsonb_build_object('text', text) from m where not is_reply
       ), batch as (
         insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, submitted_at, closed_at, created_at, updated_at)
         select $1, 'simulator', $3, 0, 3, 1, id, id, at, at, at, at, at from m where is_reply returning id, first_id
       ), sent as (
         insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, body, sent_at, delivered_at)
         select m.id, $1, b.id, $3, 1, 3, 1, 0, 'MIRTEA', $2, m.text, m.at, m.at + interval '4 seconds' from m join batch b on b.first_id = m.id
       )
       insert into conversations (id, owner_id, address, state, unread, last_id, is_last_incoming, type, sender)
       select (array_agg(id order by ago desc))[1], $1, $2, $5, $6, (array_agg(id order by ago))[1], not (array_agg(is_reply order by ago))[1], $3, 'MIRTEA' from m`,
      [OwnerId, address, type, JSON.stringify(messages), state, unread],
    );
  }
}
