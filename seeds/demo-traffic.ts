/** Stored integers of the channel types of the history. */
export const TYPES = {
  sms: 1,
  viber: 4,
  whatsapp: 6,
  email: 7,
  flashcall: 20,
  telegramcode: 22,
} as const;
type Type = keyof typeof TYPES;

export interface DemoBulk {
  owner: string;
  title: string;
  type: Type;
  sender: string;
  /** At most 70 characters: one segment. */
  text: string;
  /** The text of the SMS to those who are not reached. */
  fallback?: string;
  audience: string;
  /** Of the audience that gets it, if not all. */
  share?: number;
  /** Weeks before the current one; of yesterday if it is not given. */
  weeks?: number;
  /** From 1, Monday. */
  weekday?: number;
  hour: number;
  /** People of the audience to whom it was submitted before it was stopped. */
  stoppedAfter?: number;
  /** The share of reached people who follow its link. */
  clicked?: number;
}

const tea = { owner: 'customer', sender: 'MIRTEA', audience: 'customers' };
const viber = { ...tea, type: 'viber' as const };
const sms = { ...tea, type: 'sms' as const };
const beans = {
  owner: 'customer2',
  sender: 'BEANBAR',
  audience: 'customer2',
  type: 'sms' as const,
};

export const BULKS: DemoBulk[] = [
  {
    ...viber,
    weeks: 8,
    weekday: 4,
    hour: 12,
    share: 0.75,
    title: 'Осенняя коллекция',
    text: 'Новые улуны уже в магазине. Первым ста гостям пробник в подарок',
    fallback: 'Новые улуны уже в магазине: mirtea.example/oolong',
    clicked: 0.11,
  },
  {
    ...sms,
    weeks: 7,
    weekday: 2,
    hour: 11,
    share: 0.5,
    title: 'Напоминание о бонусах',
    text: 'У вас сгорают бонусы Чайного дома. Успейте до воскресенья',
    clicked: 0.06,
  },
  {
    ...tea,
    type: 'email',
    weeks: 6,
    weekday: 3,
    hour: 10,
    title: 'Письмо месяца',
    text: 'Как заваривать шу пуэр: пять правил и скидка 15 %',
    clicked: 0.17,
  },
  {
    ...viber,
    weeks: 6,
    weekday: 5,
    hour: 17,
    share: 0.55,
    title: 'Выходные с чаем',
    text: 'В субботу дегустация: белые чаи и десерты. Вход свободный',
    fallback: 'В субботу дегустация белых чаев. Чайный дом, вход свободный',
    clicked: 0.09,
  },
  {
    ...sms,
    weeks: 5,
    weekday: 4,
    hour: 13,
    share: 0.35,
    title: 'Новый магазин на Лесной',
    text: 'Открылись на Лесной, 5. До конца недели чай дня бесплатно',
  },
  {
    ...viber,
    weeks: 4,
    weekday: 2,
    hour: 12,
    share: 0.6,
    title: 'Подарочные наборы',
    text: 'Наборы к праздникам: соберём и упакуем за час',
    fallback: 'Подарочные наборы чая: mirtea.example/gifts',
    clicked: 0.13,
  },
  {
    ...sms,
    weeks: 3,
    weekday: 3,
    hour: 11,
    title: 'Ошибка в цене',
    share: 0.6,
    text: 'Скидка 50% на все сорта только сегодня',
    stoppedAfter: 160,
  },
  {
    ...viber,
    weeks: 3,
    weekday: 6,
    hour: 12,
    share: 0.6,
    title: 'Осенняя распродажа',
    text: 'До конца месяца скидка 25% на красный чай',
    fallback: 'Скидка 25% на красный чай: mirtea.example/sale',
    clicked: 0.1,
  },
  {
    ...sms,
    weeks: 2,
    weekday: 2,
    hour: 15,
    share: 0.45,
    title: 'Опрос о доставке',
    text: 'Как вам доставка? Ответьте числом от 1 до 5. Чайный дом',
  },
  {
    ...viber,
    weeks: 2,
    weekday: 4,
    hour: 12,
    title: 'Чёрная пятница',
    text: 'Чёрная пятница: весь чёрный чай за полцены',
    fallback: 'Весь чёрный чай за полцены: mirtea.example/black',
    clicked: 0.15,
  },
  {
    ...sms,
    weeks: 1,
    weekday: 3,
    hour: 11,
    share: 0.4,
    title: 'Бонусы за отзыв',
    text: 'Оставьте отзыв и получите 200 бонусов: mirtea.example/review',
    clicked: 0.08,
  },
  {
    ...viber,
    weeks: 1,
    weekday: 5,
    hour: 12,
    share: 0.7,
    title: 'Новогодние сборы',
    text: 'Новогодние сборы с апельсином и корицей уже в продаже',
    fallback: 'Новогодние сборы уже в продаже: mirtea.example/winter',
    clicked: 0.12,
  },
  {
    ...viber,
    hour: 12,
    share: 0.3,
    title: 'Вечер пуэра',
    text: 'Вечер пуэра в четверг: осталось двадцать мест',
    fallback: 'Вечер пуэра в четверг: mirtea.example/puer',
    clicked: 0.1,
  },
  {
    ...beans,
    weeks: 2,
    weekday: 1,
    hour: 9,
    title: 'Свежая обжарка',
    text: 'Эфиопия свежей обжарки уже в баре',
  },
  {
    ...beans,
    weeks: 1,
    weekday: 1,
    hour: 9,
    title: 'Кофе недели',
    text: 'Кофе недели: Колумбия Уила, 180 рублей',
  },
];

/** Single messages of a kind. */
export interface MessageStream {
  owner: string;
  type: Type;
  sender: string;
  /** `{n}` is a number. */
  text: string;
  audience: string;
  perDay: number;
  /** By how much there were less of them at first, from 0 to 1. */
  growth: number;
  /** Hours of the day, the busy ones more often. */
  hours: number[];
  /** From Monday to Sunday; 1 is an average day. */
  weekdays: number[];
  /** The description of the API token of the requests. */
  token?: string;
}

const DAYTIME = [
  9, 10, 10, 11, 11, 11, 12, 12, 12, 13, 13, 14, 14, 15, 16, 16, 17, 17, 18, 18, 18, 19, 19, 19, 20,
  20, 21, 22,
];
const ANY_TIME = [0, 1, 7, 8, ...DAYTIME, 21, 22, 23];
const SHOP = [0.9, 0.95, 1, 1.05, 1.25, 1.15, 0.7];
const OFFICE = [1.2, 1.2, 1.15, 1.15, 1.1, 0.6, 0.6];

const shop = {
  owner: 'customer',
  sender: 'MIRTEA',
  audience: 'guests',
  token: 'Интернет-магазин',
  hours: DAYTIME,
  weekdays: SHOP,
};

export const STREAMS: MessageStream[] = [
  {
    ...shop,
    type: 'sms',
    text: 'Заказ {n} собран, ждём вас до 21:00. Чайный дом',
    perDay: 30,
    growth: 0.35,
  },
  {
    ...shop,
    type: 'whatsapp',
    text: 'Заказ {n} передан курьеру. Он позвонит за час до приезда',
    perDay: 6,
    growth: 0.6,
  },
  { ...shop, type: 'email', text: 'Чек по заказу {n}', perDay: 9, growth: 0.3 },
  {
    ...shop,
    type: 'flashcall',
    text: '{n}',
    perDay: 10,
    growth: 0.2,
    hours: ANY_TIME,
    token: 'CRM',
  },
  {
    ...shop,
    type: 'telegramcode',
    text: '{n}',
    perDay: 8,
    growth: 0.5,
    hours: ANY_TIME,
    token: 'CRM',
  },
  {
    ...shop,
    type: 'sms',
    sender: 'DEMO',
    text: 'Код для входа: {n}',
    perDay: 6,
    growth: 0.1,
    hours: ANY_TIME,
    token: 'CRM',
  },
  {
    owner: 'customer2',
    type: 'sms',
    sender: 'BEANBAR',
    text: 'Ваш кофе готов, заказ {n}',
    audience: 'guests',
    perDay: 5,
    growth: 0.8,
    hours: [8, 8, 9, 9, 9, 10, 11, 13, 14, 16],
    weekdays: OFFICE,
  },
  {
    owner: 'aroma',
    type: 'sms',
    sender: 'AROMA',
    text: 'Ждём вас завтра, запись {n}. Салон Аромат',
    audience: 'guests',
    perDay: 16,
    growth: -0.4,
    hours: DAYTIME,
    weekdays: OFFICE,
  },
  {
    owner: 'bookcafe',
    type: 'sms',
    sender: 'BOOKCAFE',
    text: 'Книга по заказу {n} ждёт вас в кафе',
    audience: 'guests',
    perDay: 9,
    growth: 0.3,
    hours: DAYTIME,
    weekdays: SHOP,
  },
  {
    owner: 'sportlife',
    type: 'viber',
    sender: 'SPORTLIFE',
    text: 'Тренировка завтра, место {n}',
    audience: 'guests',
    perDay: 11,
    growth: 0.5,
    hours: [16, 17, 18, 18, 19, 19, 20],
    weekdays: OFFICE,
  },
];

/** Digits before the last seven, those of big networks more often. */
const PREFIXES = [
  '+7916',
  '+7926',
  '+7903',
  '+7900',
  '+7910',
  '+7920',
  '+7965',
  '+7985',
  '+7901',
  '+77011',
  '+77771',
  '+375291',
  '+998901',
];

/** Invented phones of people who are on no contact list. */
export const GUESTS = Array.from({ length: 900 }, (_, n) => {
  const abroad = n % 11 === 5;
  const prefix = PREFIXES[abroad ? 9 + (Math.floor(n / 11) % 4) : (n * 7) % 9]!;
  const digits = prefix.startsWith('+79') ? 7 : 6;
  return prefix + String((n * 6_700_417 + 2_345_678) % 10 ** digits).padStart(digits, '0');
});
