type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

export interface SeededTemplate {
  type: 'contract' | 'invoice' | 'act';
  blocks: readonly object[];
}

const TITLES = { contract: 'Договор', invoice: 'Счёт на оплату', act: 'Акт' };

const signer = {
  fullName: 'Орлова Марина Сергеевна',
  fullNameGenitive: 'Орловой Марины Сергеевны',
  position: 'Генеральный директор',
  positionGenitive: 'генерального директора',
  basis: 'Устав',
  basisGenitive: 'Устава',
};
const accountant = 'Седов Роман Ильич';

/** Fictional companies with valid numbers, one with VAT and one without. They issue documents to every account. */
const COMPANIES = [
  {
    title: 'ООО «Гелиограф»',
    taxSystem: 'general',
    prefix: '',
    data: {
      legal: {
        name: 'ООО «Гелиограф»',
        inn: '9999000020',
        kpp: '999901001',
        address: '101000, Россия, г. Москва, ул. Световая, д. 5',
      },
      bank: {
        name: 'АО «ТБанк»',
        bik: '044525974',
        rs: '40702810000000067890',
        ks: '30101810145250000974',
      },
      signer,
      accountant,
    },
  },
  {
    title: 'ООО «Гелиограф Связь»',
    taxSystem: 'simplified',
    prefix: 'ГС',
    data: {
      legal: {
        name: 'ООО «Гелиограф Связь»',
        inn: '9999000038',
        kpp: '999901001',
        address: '101000, Россия, г. Москва, ул. Световая, д. 7',
      },
      bank: {
        name: 'ПАО Сбербанк',
        bik: '044525225',
        rs: '40702810600000098765',
        ks: '30101810400000000225',
      },
      signer,
      accountant,
    },
  },
];

export async function seedCompanies(query: Query, templates: SeededTemplate[]): Promise<void> {
  await query(
    `with c as (
       insert into companies (title, tax_system, prefix, data, created_at)
       select r.title, r."taxSystem", r.prefix, r.data, now() - interval '90 days'
         from jsonb_to_recordset($1::jsonb) as r(title text, "taxSystem" text, prefix text, data jsonb)
       returning id)
     insert into document_templates (company_id, type, title, blocks, created_at)
     select c.id, t.type, t.title, t.blocks, now() - interval '90 days'
       from c, jsonb_to_recordset($2::jsonb) as t(type text, title text, blocks jsonb)`,
    [
      JSON.stringify(COMPANIES),
      JSON.stringify(templates.map((t) => ({ ...t, title: TITLES[t.type] }))),
    ],
  );
}
