import type { Call, CompanyData, requisites } from '@heliograph/contract';

/** A fictional company with valid numbers. */
export const REQUISITE = {
  contact: {
    lastName: 'Мирская',
    firstName: 'Анна',
    middleName: 'Сергеевна',
    phone: '8 (900) 555-01-03',
    email: 'Anna@tea.example',
  },
  signer: {
    fullName: { nominative: 'Седов Роман Ильич', genitive: 'Седова Романа Ильича' },
    position: { nominative: 'Генеральный директор', genitive: 'Генерального директора' },
    basis: { nominative: 'Устав', genitive: 'Устава' },
  },
  data: {
    legal: {
      opf: 'ООО',
      name: 'Чайный дом',
      inn: '7700000009',
      ogrn: '1027700132195',
      kpp: '770001001',
      okpo: '00032537',
    },
    bank: {
      name: 'ПАО Сбербанк',
      bik: '044525225',
      rs: '40702810200000012345',
      ks: '30101810400000000225',
    },
    tax: { vat: true },
    legalAddress: {
      country: 'Россия',
      city: 'Москва',
      index: '101000',
      address: 'ул. Чайная, 1',
      phone: '+7 495 000-00-00',
      phoneAdd: '12',
    },
    postalAddress: { country: 'Россия', city: 'Москва', index: '101000', address: 'а/я 7' },
  },
} satisfies Call<typeof requisites.create>['body'];

/** A fictional seller with valid numbers. */
export const COMPANY_DATA: CompanyData = {
  legal: {
    name: 'ООО «Гелиограф»',
    inn: '9999000013',
    kpp: '999901001',
    address: '101000, Россия, г. Москва, ул. Световая, д. 5',
  },
  bank: {
    name: 'АО «ТБанк»',
    bik: '044525974',
    rs: '40702810100000054321',
    ks: '30101810145250000974',
  },
  signer: { fullName: 'Орлова Марина Сергеевна', position: 'Генеральный директор' },
  accountant: 'Седов Роман Ильич',
};
