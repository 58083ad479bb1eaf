import { Injectable } from '@nestjs/common';
import {
  documentDay,
  formatMoney,
  hasVat,
  invoiceNumber,
  lastDayOf,
  unprintable,
  unprintableMessage,
  vatContained,
  vatRate,
  type DocumentFacts,
  type DocumentType,
  type InvoiceType,
  type Money,
} from '@heliograph/domain';
import { ownScope } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError, invalid } from '../../../core/errors.ts';
import { Events } from '../../../core/events/events.ts';
import { uuidv7 } from '../../../core/uuid.ts';
import { RequisitesService } from '../../requisites/requisites.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { sellerFacts, type Company } from '../companies/company.entity.ts';
import { CompaniesService } from '../companies/companies.service.ts';
import { DocumentTemplatesService } from '../templates/document-templates.service.ts';
import { buyerFacts } from './buyer-facts.ts';
import type { Invoice } from './invoice.entity.ts';
import { InvoicesStore } from './invoices.store.ts';

const DAY_MS = 86_400_000;
/** Documents of Russia: payment orders, the payment code and the amount in words are in roubles. */
const CURRENCY = 'RUB';
export const SERVICE = 'Услуги по передаче сообщений';

/** Whom a document is for, and by whom. */
export interface Parties {
  OwnerId: string;
  requisiteId: string;
  companyId: string;
}

interface Issue extends Parties {
  type: InvoiceType;
  source: 'user' | 'system';
  amount: Money;
  /** The first day of the month of an act. */
  period?: string;
}

/** Both sides and the template of a document. */
interface Draft {
  company: Company;
  requisiteTitle: string;
  facts: Pick<DocumentFacts, 'type' | 'username' | 'blocks' | 'seller' | 'buyer'>;
}

/** Issues documents: their facts, and numbers without gaps. */
@Injectable()
export class IssueService {
  constructor(
    private readonly db: Db,
    private readonly store: InvoicesStore,
    private readonly companies: CompaniesService,
    private readonly templates: DocumentTemplatesService,
    private readonly requisites: RequisitesService,
    private readonly settings: SettingsService,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /**
   * Both sides and the template. A company of another form of taxation is refused: with the wrong VAT the customer could not book the
   * invoice.
   */
  async draft(type: DocumentType, { OwnerId, requisiteId, companyId }: Parties): Promise<Draft> {
    const requisite = await this.requisites.get(ownScope(OwnerId), requisiteId);
    const company = await this.companies.issuer(OwnerId, companyId);
    if (!company) throw new AppError('not_found');
    if (requisite.data.tax.vat !== hasVat(company.taxSystem))
      throw invalid('companyId', 'tax_form', 'The company has another form of taxation.');
    const template = await this.templates.active(companyId, type);
    if (!template)
      throw invalid('companyId', 'no_template', 'The company has no template of this type.');
    const username = await this.store.usernameOf(OwnerId);
    const sides = { seller: sellerFacts(company), buyer: buyerFacts(requisite) };
    refuseUnprintable('requisiteId', Object.values(sides.buyer));
    const texts = template.blocks.map(({ text }) => text ?? '');
    refuseUnprintable('companyId', [...Object.values(sides.seller), ...texts]);
    return {
      company,
      requisiteTitle: requisite.title,
      facts: { type, username, blocks: template.blocks, ...sides },
    };
  }

  /** Writes the row with the next number of the company. In the caller's transaction, if there is one. */
  async issue(given: Issue): Promise<Invoice> {
    const { OwnerId, type, amount, period = null } = given;
    const { currency } = await this.settings.ofAccount(OwnerId);
    if (currency !== CURRENCY)
      throw new AppError('currency_mismatch', 'Invoices are issued in roubles');
    const { company, requisiteTitle, facts } = await this.draft(type, given);
    const now = this.clock.now();
    const day = documentDay(now);
    const validUntil =
      type === 'invoice' ? new Date(now.getTime() + company.validDays * DAY_MS) : null;
    // Services are taxed at the rate of the time in which they were rendered: those of December not at the new one of January.
    const rate = vatRate(company.taxSystem, period ? lastDayOf(period) : day);
    const vat = rate === null ? 0n : vatContained(amount, rate);
    const sum = {
      service: SERVICE,
      amount: twoDecimals(amount),
      vatRate: rate,
      vatAmount: twoDecimals(vat),
    };
    const year = Number(day.slice(0, 4));
    return this.db.transaction(async () => {
      const number = await this.store.nextNumber(company.id, type, year);
      const docNumber = invoiceNumber({ prefix: company.prefix, year, number });
      const valid = validUntil && { until: documentDay(validUntil), days: company.validDays };
      const row = await this.store.create({
        id: uuidv7(now),
        OwnerId,
        type,
        source: given.source,
        ...(type === 'act' && { status: 'paid', paidAt: now }),
        amount: sum.amount,
        currency,
        vatRate: rate,
        vatAmount: sum.vatAmount,
        CompanyId: company.id,
        RequisiteId: given.requisiteId,
        year,
        number,
        docNumber,
        day,
        period,
        validUntil,
        snapshot: {
          ...facts,
          number: docNumber,
          day,
          sum,
          valid,
          period,
          titles: { company: company.title, requisite: requisiteTitle },
        },
        DocumentId: uuidv7(now),
        createdAt: now,
        updatedAt: now,
      });
      this.events.changed('invoices', 'created', OwnerId, row.id);
      return row;
    });
  }
}

/** Rows that were written before their fields refused them. */
function refuseUnprintable(field: string, texts: string[]): void {
  const all = texts.join('\n');
  if (unprintable(all).length) throw invalid(field, 'unprintable', unprintableMessage(all));
}

const twoDecimals = (amount: Money): string => formatMoney(amount).slice(0, -2);
