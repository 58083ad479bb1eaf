import type { CompanySuggestion } from '@heliograph/contract';

const moscow = (index: string, address: string) => ({
  country: 'Россия',
  city: 'Москва',
  index,
  address,
});

/** Invented organizations. Their numbers have valid check digits. */
export const LOCAL_COMPANIES: readonly CompanySuggestion[] = [
  {
    type: 'LEGAL',
    opf: 'ООО',
    name: 'Чайный дом «Мирская»',
    inn: '7700000009',
    kpp: '770001001',
    ogrn: '1267700000017',
    okpo: '90000015',
    isActive: true,
    management: { name: 'Мирская Анна Сергеевна', position: 'Генеральный директор' },
    address: moscow('101000', 'ул. Чайная, д. 1'),
  },
  {
    type: 'LEGAL',
    opf: 'АО',
    name: 'Зерно и обжарка',
    inn: '9999000013',
    kpp: '999901001',
    ogrn: '1269900000028',
    okpo: '90000021',
    isActive: true,
    management: { name: 'Седов Роман Ильич', position: 'Директор' },
    address: moscow('125009', 'пер. Кофейный, д. 7, стр. 2'),
  },
  {
    type: 'INDIVIDUAL',
    opf: 'ИП',
    name: 'Зернов Борис Петрович',
    inn: '770000000082',
    kpp: '',
    ogrn: '326770000000016',
    okpo: '',
    isActive: true,
    management: { name: 'Зернов Борис Петрович', position: 'Индивидуальный предприниматель' },
    address: moscow('115035', 'наб. Пряничная, д. 12, кв. 4'),
  },
  {
    type: 'LEGAL',
    opf: 'АНО',
    name: 'Музей самовара',
    inn: '7700000023',
    kpp: '770001001',
    ogrn: '1267700000039',
    okpo: '90000038',
    isActive: false,
    management: { name: 'Орлова Марина Юрьевна', position: 'Директор' },
    address: moscow('109012', 'пл. Самоварная, д. 3'),
  },
];
