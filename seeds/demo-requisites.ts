type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** An invented organization. All numbers have valid check digits; the banks are real. */
interface DemoRequisite {
  days: number;
  opf: string;
  name: string;
  inn: string;
  ogrn: string;
  kpp: string | null;
  okpo: string | null;
  bank: { name: string; bik: string; rs: string; ks: string };
  vat: boolean;
  contact: [lastName: string, firstName: string, middleName: string];
  signer: { fullName: [string, string]; short: [string, string]; position: [string, string] };
  address: string;
  index: string;
}

const CHARTER: [string, string] = ['Устав', 'Устава'];
const CERTIFICATE: [string, string] = [
  'Свидетельство о государственной регистрации',
  'Свидетельства о государственной регистрации',
];

export const DEMO_REQUISITES: DemoRequisite[] = [
  {
    days: 40,
    opf: 'ООО',
    name: 'Чайный дом «Мирская»',
    inn: '7700000009',
    ogrn: '1267700000017',
    kpp: '770001001',
    okpo: '90000015',
    bank: {
      name: 'ПАО Сбербанк',
      bik: '044525225',
      rs: '40702810200000012345',
      ks: '30101810400000000225',
    },
    vat: true,
    contact: ['Мирская', 'Анна', 'Сергеевна'],
    signer: {
      fullName: ['Мирская Анна Сергеевна', 'Мирской Анны Сергеевны'],
      short: ['Мирская А. С.', 'Мирской А. С.'],
      position: ['Генеральный директор', 'Генерального директора'],
    },
    address: 'ул. Чайная, д. 1',
    index: '101000',
  },
  {
    days: 31,
    opf: 'АО',
    name: 'Зерно и обжарка',
    inn: '9999000013',
    ogrn: '1269900000028',
    kpp: '999901001',
    okpo: '90000021',
    bank: {
      name: 'АО «ТБанк»',
      bik: '044525974',
      rs: '40702810100000054321',
      ks: '30101810145250000974',
    },
    vat: true,
    contact: ['Седов', 'Роман', 'Ильич'],
    signer: {
      fullName: ['Седов Роман Ильич', 'Седова Романа Ильича'],
      short: ['Седов Р. И.', 'Седова Р. И.'],
      position: ['Директор', 'Директора'],
    },
    address: 'пер. Кофейный, д. 7, стр. 2',
    index: '125009',
  },
  {
    days: 12,
    opf: 'ИП',
    name: 'Зернов Борис Петрович',
    inn: '770000000082',
    ogrn: '326770000000016',
    kpp: null,
    okpo: null,
    bank: {
      name: 'АО «Альфа-Банк»',
      bik: '044525593',
      rs: '40802810600000000101',
      ks: '30101810200000000593',
    },
    vat: false,
    contact: ['Зернов', 'Борис', 'Петрович'],
    signer: {
      fullName: ['Зернов Борис Петрович', 'Зернова Бориса Петровича'],
      short: ['Зернов Б. П.', 'Зернова Б. П.'],
      position: ['Индивидуальный предприниматель', 'Индивидуального предпринимателя'],
    },
    address: 'наб. Пряничная, д. 12, кв. 4',
    index: '115035',
  },
  {
    days: 3,
    opf: 'АНО',
    name: 'Музей самовара',
    inn: '7700000023',
    ogrn: '1267700000039',
    kpp: '770001001',
    okpo: '90000038',
    bank: {
      name: 'Банк ВТБ (ПАО)',
      bik: '044525187',
      rs: '40703810100000000202',
      ks: '30101810700000000187',
    },
    vat: false,
    contact: ['Орлова', 'Марина', 'Юрьевна'],
    signer: {
      fullName: ['Орлова Марина Юрьевна', 'Орловой Марины Юрьевны'],
      short: ['Орлова М. Ю.', 'Орловой М. Ю.'],
      position: ['Директор', 'Директора'],
    },
    address: 'пл. Самоварная, д. 3',
    index: '109012',
  },
];

const cases = ([nominative, genitive]: [string, string]) => ({ nominative, genitive });

function rowOf(one: DemoRequisite, n: number) {
  const { opf, name, inn, ogrn, kpp, okpo, bank, vat, signer } = one;
  const isPerson = inn.length === 12;
  const [lastName, firstName, middleName] = one.contact;
  const place = { country: 'Россия', city: 'Москва', index: one.index, address: one.address };
  const address = { ...place, phone: '+74950000000', phoneAdd: String(101 + n) };
  return {
    days: one.days,
    title: isPerson || name.includes('«') ? `${opf} ${name}` : `${opf} «${name}»`,
    contact: {
      lastName,
      firstName,
      middleName,
      phone: `+7900555020${n}`,
      email: `office${n}@heliograph.example`,
    },
    signer: {
      fullName: cases(signer.fullName),
      fullNameShort: cases(signer.short),
      position: cases(signer.position),
      basis: cases(isPerson ? CERTIFICATE : CHARTER),
    },
    data: {
      legal: { opf, name, inn, ogrn, kpp, okpo, businessType: isPerson ? 'INDIVIDUAL' : 'LEGAL' },
      bank,
      tax: { system: isPerson ? 'USN' : 'OSN', vat },
      legalAddress: address,
      postalAddress: address,
    },
  };
}

/** Requisites of a company, of another one, of an entrepreneur and of a nonprofit. */
export async function seedRequisites(query: Query, OwnerId: string): Promise<void> {
  await query(
    `insert into requisites (owner_id, title, contact, signer, data, created_at, updated_at)
     select $1, r.title, r.contact, r.signer, r.data, now() - make_interval(days => r.days), now() - make_interval(days => r.days)
       from jsonb_to_recordset($2::jsonb) as r(title text, contact jsonb, signer jsonb, data jsonb, days int)`,
    [OwnerId, JSON.stringify(DEMO_REQUISITES.map(rowOf))],
  );
}
