import { LISTS } from './demo.ts';

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

interface DemoRule {
  title: string;
  isActive: boolean;
  mode: string;
  keywords: string[];
  actions: string[];
  replyText: string | null;
  ListId: string | null;
}

const RULES: DemoRule[] = [
  {
    title: 'Прайс-лист',
    isActive: true,
    mode: 'contains',
    keywords: ['прайс', 'цены', 'price'],
    actions: ['reply'],
    replyText: 'Все сорта и цены: mirtea.example/price',
    ListId: null,
  },
  {
    title: 'Хочу в клуб',
    isActive: true,
    mode: 'starts',
    keywords: ['клуб'],
    actions: ['list', 'reply'],
    replyText: 'Вы в клубе чайных знатоков. Скидка 10% уже действует!',
    ListId: LISTS.vip,
  },
  {
    title: 'Жалобы',
    isActive: true,
    mode: 'contains',
    keywords: ['жалоба', 'верните деньги', 'брак'],
    actions: ['task'],
    replyText: null,
    ListId: null,
  },
  {
    title: 'Ответ в праздники',
    isActive: false,
    mode: 'any',
    keywords: [],
    actions: ['reply', 'task'],
    replyText: 'Спасибо! Мы отдыхаем до 9 января и ответим в первый рабочий день.',
    ListId: null,
  },
];

/** Rules for incoming messages of a demo account. */
export async function seedInboundRules(query: Query, OwnerId: string): Promise<void> {
  for (const [i, rule] of RULES.entries())
    await query(
      `insert into inbound_rules (owner_id, position, title, is_active, is_continued, types, mode, keywords, actions, reply_text,
                                  reply_minutes, list_id, list_change)
       values ($1, $2, $3, $4, false, '{}', $5, $6, $7, $8, 60, $9, 'add')`,
      [
        OwnerId,
        i + 1,
        rule.title,
        rule.isActive,
        rule.mode,
        rule.keywords,
        rule.actions,
        rule.replyText,
        rule.ListId,
      ],
    );
}
