import type { TariffRule } from '@heliograph/contract';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import enCommon from '../../locales/en/common.json' with { type: 'json' };
import enTariffs from '../../locales/en/tariffs.json' with { type: 'json' };
import ruCommon from '../../locales/ru/common.json' with { type: 'json' };
import ruTariffs from '../../locales/ru/tariffs.json' with { type: 'json' };
import { createFormats } from '../../core/formats.ts';
import { ruleSentence, valuesIn } from './rule-sentence.ts';

await i18next.init({
  resources: {
    en: { common: enCommon, tariffs: enTariffs },
    ru: { common: ruCommon, tariffs: ruTariffs },
  },
  interpolation: { escapeValue: false },
});
const NETWORKS: Record<string, string> = { '25001': 'MTS', '25002': 'MegaFon', '401*': 'KZ' };
const LISTS: Record<string, string | null> = {
  gone: null,
  'list-1': 'Tea lovers',
  'list-2': 'VIP',
};
const say = (locale: string, rule: Partial<TariffRule>, source = 'standard') =>
  ruleSentence(
    { id: 'r', action: 'increase', price: 3.2, priority: 0, conditions: [], ...rule },
    source,
    {
      t: i18next.getFixedT(locale),
      formats: createFormats(locale, 'RUB'),
      operator: (code) => NETWORKS[code] ?? code,
      list: (id) => (id in LISTS ? LISTS[id]! : id),
    },
  ).replaceAll(/[\u00a0\u202f]/g, ' ');
const type = { tag: 'type', value: 'sms' } as const;

test.each<[string, Partial<TariffRule>, string, string]>([
  ['without conditions', {}, 'Any message costs ₽3.20.', 'Любое сообщение стоит 3,20 ₽.'],
  [
    'a type that is billed by parts',
    { conditions: [type] },
    'A message costs ₽3.20 per part if the channel is SMS.',
    'Сообщение стоит 3,20 ₽ за часть, если канал — SMS.',
  ],
  [
    'a type and networks, any of which will do',
    { conditions: [type, { tag: 'mccmnc', value: ['25001', '25002', '99999'] }] },
    'A message costs ₽3.20 per part if the channel is SMS and the operator is MTS, MegaFon, or 99999.',
    'Сообщение стоит 3,20 ₽ за часть, если канал — SMS и оператор — MTS, MegaFon или 99999.',
  ],
  [
    'voice, by call and second',
    { conditions: [{ tag: 'type', value: 'voice' }], price: [0.6, 0.09] },
    'A message costs ₽0.60 per call and ₽0.09 per second if the channel is Voice call.',
    'Сообщение стоит 0,60 ₽ за звонок и 0,09 ₽ за секунду, если канал — Звонок.',
  ],
  [
    'voice, by its length',
    {
      conditions: [{ tag: 'type', value: 'voice' }],
      price: [0.6, 0.09],
      byLength: { first: 60, interval: 6 },
    },
    'A message costs ₽0.60 per call and ₽0.09 per second of its length (60 sec at once, then every 6 sec begun) if the channel is Voice call.',
    'Сообщение стоит 0,60 ₽ за звонок и 0,09 ₽ за секунду его длительности (сразу 60 с, затем каждые начатые 6 с), если канал — Звонок.',
  ],
  [
    'WAPI, whose messages cost nothing',
    { conditions: [{ tag: 'type', value: 'wapi' }], price: 1990 },
    'A subscription costs ₽1,990.00 if the channel is WAPI.',
    'Подписка стоит 1 990,00 ₽, если канал — WAPI.',
  ],
  [
    'another type with a list counts its first',
    { conditions: [{ tag: 'type', value: 'viber' }], price: [2.1, 9] },
    'A message costs ₽2.10 if the channel is Viber.',
    'Сообщение стоит 2,10 ₽, если канал — Viber.',
  ],
  [
    'a decrease',
    { action: 'decrease', price: 0.2, conditions: [type, { tag: 'sender', value: ['DEMO'] }] },
    'The price is ₽0.20 per part lower if the channel is SMS and the sender is DEMO.',
    'Цена ниже на 0,20 ₽ за часть, если канал — SMS и отправитель — DEMO.',
  ],
  [
    'words and beginnings of numbers',
    {
      conditions: [
        { tag: 'keywords', value: ['код', 'пароль'] },
        { tag: 'recipient', value: '+7916' },
      ],
    },
    'A message costs ₽3.20 if the text contains the word “код” or “пароль” and the number begins with +7916.',
    'Сообщение стоит 3,20 ₽, если в тексте есть слово «код» или «пароль» и номер начинается с +7916.',
  ],
  [
    'contact lists by their titles',
    { conditions: [{ tag: 'contactList', value: ['list-1', 'list-2'] }] },
    'A message costs ₽3.20 if the contact is in the list “Tea lovers” or “VIP”.',
    'Сообщение стоит 3,20 ₽, если контакт в списке «Tea lovers» или «VIP».',
  ],
  [
    'a contact list that was removed',
    { conditions: [{ tag: 'contactList', value: 'gone' }] },
    'A message costs ₽3.20 if the contact is in the list (deleted).',
    'Сообщение стоит 3,20 ₽, если контакт в списке (список удалён).',
  ],
])('%s', (_, rule, en, ru) => {
  expect(say('en', rule)).toBe(en);
  expect(say('ru', rule)).toBe(ru);
});

test('a tariff of one type says so in every rule', () => {
  expect(say('en', {}, 'mms')).toBe('A message costs ₽3.20 per part if the channel is MMS.');
});

test('every condition has its words', () => {
  for (const locale of ['en', 'ru']) {
    for (const tag of ['text', 'group'] as const) {
      const sentence = say(locale, { conditions: [{ tag, value: 'x' }] });
      expect(sentence).not.toContain('condition.');
      expect(sentence).toMatch(/x[”»]?\.$/);
    }
  }
});

test('codes of networks and ids of lists are asked for once', () => {
  const rule = (value: string | string[]): TariffRule => ({
    id: 'r',
    action: 'increase',
    price: 1,
    priority: 0,
    conditions: [type, { tag: 'mccmnc', value }],
  });
  expect(valuesIn([rule(['25002', '25001']), rule('25001'), rule('401*')], 'mccmnc')).toEqual([
    '25001',
    '25002',
    '401*',
  ]);
});

test('kinds of messages have their words', () => {
  const conditions = [{ tag: 'group' as const, value: ['service', 'transactional'] }];
  expect(say('en', { conditions })).toContain('Service or Transactional');
  expect(say('ru', { conditions })).toContain('Сервисный или Транзакционный');
});
