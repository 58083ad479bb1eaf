import { Injectable } from '@nestjs/common';
import type { OperatorTable, PriceBook } from '@heliograph/domain';
import { TariffsService } from '../../tariffs/tariffs.service.ts';
import { TemplatesService, type Groups } from '../../templates/templates.service.ts';
import type { StoredSending } from '../plan.ts';
import { operators } from './operators.ts';

export { countryCodes, operatorByCode, operators } from './operators.ts';

/** Everything that determines the price of a message. */
export interface Pricing extends Groups {
  book: PriceBook;
  operators: OperatorTable;
  /** Messages of test tokens cost nothing. */
  isFree: boolean;
}

@Injectable()
export class PricingService {
  constructor(
    private readonly tariffs: TariffsService,
    private readonly templates: TemplatesService,
  ) {}

  /** Of an account. Changes apply within a second. */
  async of(OwnerId: string, { live }: Pick<StoredSending, 'live'> = {}): Promise<Pricing> {
    return {
      isFree: live === false,
      book: await this.tariffs.priceBook(OwnerId),
      operators: operators(),
      ...(await this.templates.groupsOf(OwnerId)),
    };
  }
}
