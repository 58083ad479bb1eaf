export interface DemoContact {
  phone: string;
  email?: string;
  firstName: string;
  lastName: string;
  gender?: 'male' | 'female';
  date?: string;
  /** custom01: the city, custom02: the number of the loyalty card. */
  custom: Record<string, string>;
}

const HIS = words('Александр Дмитрий Максим Сергей Андрей Алексей Артём Илья Кирилл Михаил Никита');
const HER = words(
  'Анастасия Мария Дарья Анна Виктория Полина Екатерина Елизавета Ксения Ольга София',
);
const FAMILIES = words(
  'Смирнов Иванов Кузнецов Соколов Попов Лебедев Козлов Новиков Морозов Петров Волков Соловьёв Васильев Зайцев Павлов Семёнов Голубев',
);
const CITIES = words(
  'Москва Санкт-Петербург Новосибирск Екатеринбург Казань Омск Самара Уфа Красноярск Воронеж Пермь Волгоград Тула',
);

/** Beginnings of numbers of several networks. */
const NETWORKS = words('16 26 03 00 10 20 65 85 52');

function words(text: string): string[] {
  return text.split(' ');
}

/** The lengths of the lists have no common divisor, so that names, families and cities meet in ever new ways. */
function contact(i: number): DemoContact {
  const pick = (list: string[]) => list[i % list.length]!;
  const isHer = i % 2 === 0;
  const day = new Date(Date.UTC(1960, 0, 1 + ((i * 7919) % 16_000)));
  return {
    // Invented: 7919 shares no divisor with ten million, so no number comes twice.
    phone: `+79${pick(NETWORKS)}${String((i * 7919 + 1_234_567) % 10_000_000).padStart(7, '0')}`,
    ...(i % 3 === 0 && { email: `reader${i + 1}@mail.example` }),
    firstName: pick(isHer ? HER : HIS),
    lastName: pick(FAMILIES) + (isHer ? 'а' : ''),
    gender: isHer ? 'female' : 'male',
    date: day.toISOString().slice(0, 10),
    custom: { custom01: pick(CITIES), custom02: String(100_000 + i) },
  };
}

export const CUSTOMERS = Array.from({ length: 1000 }, (_, i) => contact(i));
/** Some of the customers, and seven who are in no other list. */
export const VIPS = [
  ...CUSTOMERS.slice(0, 50),
  ...Array.from({ length: 7 }, (_, i) => contact(2000 + i)),
];
/** Customers who do not want to be written to: sixteen of a thousand, one of them a VIP. */
export const BLACKLISTED = CUSTOMERS.filter((_, i) => i % 60 === 42);

const SPELLED: Record<string, string> = { 2: 'two', 3: 'three', 5: 'five', 60: 'sixty' };

/** Each named after what it does, in the letters that a name may have; the exact words are in custom01. */
export function testContacts(numbers: { phone: string; outcome: string }[]): DemoContact[] {
  return numbers.map(({ phone, outcome }) => ({
    phone,
    firstName: 'Test',
    lastName: outcome
      .replace(/\d+/g, (n) => SPELLED[n] ?? '')
      .replace(/[^\p{L}' -]+/gu, ' ')
      .replace(/ +/g, ' ')
      .trim()
      .slice(0, 60),
    custom: { custom01: outcome },
  }));
}
