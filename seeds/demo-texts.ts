/** Sender names in every state of moderation; `owner` is a name of the demo world's people. */
export const SENDERNAMES = [
  {
    owner: 'customer',
    name: 'MIRTEA',
    type: 'sms',
    moderation: 'approved',
    comment: 'ООО «Чайный дом», ИНН 7700000009',
    days: 60,
  },
  {
    owner: 'customer',
    name: 'DEMO',
    type: 'sms',
    moderation: 'approved',
    comment: 'ООО «Чайный дом», ИНН 7700000009',
    days: 59,
  },
  {
    owner: 'customer',
    name: '74951234567',
    type: 'voice',
    moderation: 'approved',
    comment: 'ООО «Чайный дом», ИНН 7700000009, номер по договору 12',
    days: 45,
  },
  {
    owner: 'customer',
    name: 'TEASALE',
    type: 'sms',
    moderation: 'pending',
    comment: 'ООО «Чайный дом», ИНН 7700000009, для распродаж',
    days: 2,
  },
  {
    owner: 'customer',
    name: 'BESTTEA',
    type: 'sms',
    moderation: 'rejected',
    comment: 'ООО «Чайный дом», ИНН 7700000009',
    reseller_comment: 'Пришлите свидетельство на товарный знак',
    days: 20,
  },
  {
    owner: 'customer2',
    name: 'BEANBAR',
    type: 'sms',
    moderation: 'approved',
    comment: 'ИП Зернов Б. А., ИНН 770000000082',
    days: 13,
  },
  ...[
    { owner: 'aroma', name: 'AROMA', type: 'sms' },
    { owner: 'bookcafe', name: 'BOOKCAFE', type: 'sms' },
    { owner: 'sportlife', name: 'SPORTLIFE', type: 'sms' },
  ].map((name) => ({ ...name, moderation: 'approved', comment: 'По договору', days: 64 })),
  {
    owner: 'customer2',
    name: 'BEANS.RU',
    type: 'sms',
    moderation: 'pending',
    comment: 'ИП Зернов Б. А., ИНН 770000000082',
    days: 1,
  },
];

const sms = (text: string) => ({ sender: 'MIRTEA', text });

export const TEMPLATES = (lists: { customers: string; vip: string; blacklist: string }) => [
  {
    title: 'Order is ready',
    type: 'sms',
    payload: sms('{firstName|Здравствуйте}, ваш заказ собран. Ждём вас до 21:00. Чайный дом'),
    recipient: null,
    fallbacks: [],
  },
  {
    title: 'Spring sale',
    type: 'viber',
    payload: {
      sender: 'MIRTEA',
      text: '{firstName|Друзья}, весенний чай со скидкой 20% до воскресенья.',
      button: { text: 'Выбрать чай', url: 'https://mirtea.example/spring' },
    },
    recipient: { include: [lists.customers], exclude: [lists.blacklist] },
    fallbacks: [
      {
        type: 'sms',
        payload: sms('Весенний чай со скидкой 20% до воскресенья: mirtea.example/spring'),
        options: {
          onStatus: ['failed'],
          onTimeout: { timeout: 120, except: ['delivered', 'seen'] },
          onIncomingPayload: null,
        },
      },
    ],
  },
  {
    title: 'Invitation for VIP guests',
    type: 'sms',
    payload: sms('{firstName}, приглашаем на закрытую дегустацию в субботу в 18:00. Ответьте ДА.'),
    recipient: { include: [lists.vip], exclude: [] },
    fallbacks: [],
    moderation: 'pending',
  },
  {
    title: 'Confirmation code',
    type: 'flashcall',
    payload: { sender: 'MIRTEA', text: '4821' },
    recipient: null,
    fallbacks: [
      {
        type: 'sms',
        payload: sms('Code: 4821'),
        options: {
          onStatus: ['failed'],
          onTimeout: { timeout: 50, except: ['delivered'] },
          onIncomingPayload: null,
        },
      },
    ],
  },
  {
    title: 'Lucky draw',
    type: 'sms',
    payload: sms('Вы выиграли 1 000 000! Перезвоните сейчас.'),
    recipient: null,
    fallbacks: [],
    moderation: 'rejected',
    comment: 'Операторы считают такой текст мошенническим.',
  },
];

/** What an operator has registered. */
export const PATTERNS = [
  {
    title: 'Order codes',
    type: 'sms',
    sender: 'MIRTEA',
    text: 'Your MirTea code is %d{4,6}',
    group: 'service',
  },
];

export const ROUTING_GROUP = {
  title: 'Direct routes',
  routes: [{ type: 'sms', ChannelId: 'simulator' }],
};
/** Beside what is checked for everybody. */
export const RULE_GROUP = { title: 'New customers', rules: { sendernamesCheck: ['voice'] } };
