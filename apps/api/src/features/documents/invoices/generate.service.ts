import { Injectable } from '@nestjs/common';
import type { documentTemplates } from '@heliograph/contract';
import { documentDay } from '@heliograph/domain';
import type { Actor } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { invalid } from '../../../core/errors.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { StorageService } from '../../storage/storage.service.ts';
import { makePdf } from '../pdf/make-pdf.ts';
import { ContractsService } from '../contracts/contracts.service.ts';
import { InvoicesService } from './invoices.service.ts';
import { IssueService } from './issue.service.ts';

const MAX_TITLE_LENGTH = 150;

type Input = In<typeof documentTemplates.generate>['body'];

/** `documentTemplates/generate`: a contract, or an invoice as by `POST /n/invoices`. */
@Injectable()
export class GenerateService {
  constructor(
    private readonly invoices: InvoicesService,
    private readonly issuing: IssueService,
    private readonly storage: StorageService,
    private readonly contracts: ContractsService,
    private readonly clock: Clock,
  ) {}

  async generate(
    actor: Actor,
    { type, data, ...given }: Input,
  ): Promise<{ id: string; OwnerId: string }> {
    if (type === 'contract') return this.contract(actor, given);
    const amount = data?.SERVICE_PRICE;
    if (amount === undefined)
      throw invalid('data.SERVICE_PRICE', 'required', 'An invoice needs its sum.');
    const { DocumentId, OwnerId } = await this.invoices.create(actor, { ...given, amount });
    return { id: DocumentId, OwnerId };
  }

  private async contract(
    actor: Actor,
    { customerId, requisiteId, companyId }: Omit<Input, 'type' | 'data'>,
  ): Promise<{ id: string; OwnerId: string }> {
    const OwnerId = await this.invoices.customerOf(actor, customerId);
    const { facts, requisiteTitle } = await this.issuing.draft('contract', {
      OwnerId,
      requisiteId,
      companyId,
    });
    const number = contractNumber(companyId, requisiteId);
    const day = documentDay(this.clock.now());
    const document = { ...facts, number, day, sum: null, valid: null, period: null };
    const filename = `Договор ${number}.pdf`;
    const file = await this.storage.saveBytes(OwnerId, await makePdf(document), { filename });
    const title = `Договор ${number}, ${requisiteTitle}`.slice(0, MAX_TITLE_LENGTH);
    const sides = { OwnerId, RequisiteId: requisiteId, CompanyId: companyId };
    await this.contracts.keep(sides, { title, FileId: file.id });
    return { id: file.id, OwnerId };
  }
}

/** The same for the same sides, so that a contract that is downloaded again keeps its number. */
function contractNumber(companyId: string, requisiteId: string): string {
  return [companyId, requisiteId].map((id) => id.slice(-4).toUpperCase()).join('-');
}
