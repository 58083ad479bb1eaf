import type { DocumentFacts, PartyFacts } from './document-facts.ts';
import type { DocumentType, TemplateBlock } from './document-templates.ts';

/** Fictional; the check digits are valid. */
const BUYER: PartyFacts = {
  name: 'ООО «Чайный дом»',
  inn: '9999000013',
  kpp: '999901001',
  ogrn: '1027700132195',
  address: '101000, Россия, г. Москва, ул. Чайная, д. 1, оф. 12',
  phone: '+79005550103',
  email: 'tea@heliograph.example',
  bankName: 'АО «ТБанк»',
  bik: '044525974',
  account: '40702810100000054321',
  correspondentAccount: '30101810145250000974',
  signerName: 'Мирская Анна Павловна',
  signerNameGenitive: 'Мирской Анны Павловны',
  signerPosition: 'Генеральный директор',
  signerPositionGenitive: 'генерального директора',
  signerBasis: 'Устав',
  signerBasisGenitive: 'Устава',
};
const SELLER = {
  ...BUYER,
  name: 'ООО «Гелиограф»',
  inn: '7700000009',
  kpp: '770001001',
  address: '101000, Россия, г. Москва, ул. Световая, д. 5',
  email: 'sales@heliograph.example',
  bankName: 'ПАО Сбербанк',
  bik: '044525225',
  account: '40702810200000012345',
  correspondentAccount: '30101810400000000225',
  signerName: 'Орлова Марина Сергеевна',
  signerNameGenitive: 'Орловой Марины Сергеевны',
  accountant: 'Седов Роман Ильич',
};

/** A document of sample data, for the preview of a template. */
export function sampleDocument(type: DocumentType, blocks: TemplateBlock[]): DocumentFacts {
  const sum = {
    service: 'Услуги по передаче сообщений',
    amount: '1000.00',
    vatRate: 22,
    vatAmount: '180.33',
  };
  return {
    type,
    number: '2026-00001',
    day: '2026-11-22',
    username: 'mirtea',
    blocks,
    seller: SELLER,
    buyer: BUYER,
    sum: type === 'contract' ? null : sum,
    valid: type === 'invoice' ? { until: '2026-11-27', days: 5 } : null,
    period: type === 'act' ? '2026-10-01' : null,
  };
}
