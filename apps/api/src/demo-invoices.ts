import type { CompanyData, Requisite } from '@heliograph/contract';
import {
  DEFAULT_TEMPLATES,
  documentDay,
  formatMoney,
  invoiceNumber,
  parseMoney,
  vatContained,
  vatRate,
  type TaxSystem,
} from '@heliograph/domain';
import {
  DEMO_INVOICES,
  type DemoInvoice,
  type SeededInvoice,
} from '../../../seeds/demo-invoices.ts';
import { uuidv7 } from './core/uuid.ts';
import { sellerFacts } from './features/documents/companies/company.entity.ts';
import { buyerFacts } from './features/documents/invoices/buyer-facts.ts';
import { SERVICE } from './features/documents/invoices/issue.service.ts';

type Query = <R>(sql: string, parameters?: unknown[]) => Promise<R[]>;

interface CompanyRow {
  id: string;
  title: string;
  taxSystem: TaxSystem;
  prefix: string;
  validDays: number;
  data: CompanyData;
}
type RequisiteRow = Pick<Requisite, 'id' | 'title' | 'contact' | 'signer' | 'data'>;

const DAY_MS = 86_400_000;

/** The invoices of the demo customer with everything that their documents show. */
export async function demoInvoices(query: Query, OwnerId: string): Promise<SeededInvoice[]> {
  const companies = await query<CompanyRow>(
    `select id, title, tax_system as "taxSystem", prefix, valid_days as "validDays", data from companies`,
  );
  const requisites = await query<RequisiteRow>(
    `select id, title, contact, signer, data from requisites where owner_id = $1 order by created_at`,
    [OwnerId],
  );
  const last = new Map<string, number>();
  return DEMO_INVOICES.map((invoice) => {
    const company = companies.find(({ title }) => title === invoice.company)!;
    const requisite = requisites.find(({ title }) => title.startsWith(invoice.requisite))!;
    const at = new Date(Date.now() - invoice.days * DAY_MS);
    const key = `${company.id} ${documentDay(at).slice(0, 4)}`;
    const number = (last.get(key) ?? 0) + 1;
    last.set(key, number);
    return seeded(invoice, { company, requisite, at, number });
  });
}

interface Sides {
  company: CompanyRow;
  requisite: RequisiteRow;
  at: Date;
  number: number;
}

function seeded(
  { amount, status, reason }: DemoInvoice,
  { company, requisite, at, number }: Sides,
): SeededInvoice {
  const day = documentDay(at);
  const year = Number(day.slice(0, 4));
  const rate = vatRate(company.taxSystem, day);
  const vat = rate === null ? 0n : vatContained(parseMoney(amount), rate);
  const vatAmount = formatMoney(vat).slice(0, -2);
  const validUntil = new Date(at.getTime() + company.validDays * DAY_MS);
  const docNumber = invoiceNumber({ prefix: company.prefix, year, number });
  return {
    id: uuidv7(at),
    type: 'invoice',
    source: 'user',
    status,
    amount,
    currency: 'RUB',
    vat_rate: rate,
    vat_amount: vatAmount,
    company_id: company.id,
    requisite_id: requisite.id,
    year,
    number,
    doc_number: docNumber,
    day,
    valid_until: validUntil,
    snapshot: {
      type: 'invoice',
      username: 'customer',
      blocks: DEFAULT_TEMPLATES.invoice,
      seller: sellerFacts(company),
      buyer: buyerFacts(requisite),
      number: docNumber,
      day,
      sum: { service: SERVICE, amount, vatRate: rate, vatAmount },
      valid: { until: documentDay(validUntil), days: company.validDays },
      period: null,
      titles: { company: company.title, requisite: requisite.title },
    },
    document_id: uuidv7(at),
    reason,
    at,
    decided_at: status === 'pending' ? null : new Date(at.getTime() + DAY_MS),
  };
}
