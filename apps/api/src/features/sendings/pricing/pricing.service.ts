import { Injectable } from '@nestjs/common';
import type { OperatorTable, PriceBook } from '@heliograph/domain';
import { TariffsService } from '../../tariffs/tariffs.service.ts';
import { TemplatesService, type Groups } from '../../templates/templates.service.ts';
import { operators } from './operators.ts';

export { countryCodes, operatorByCode, operators } from './operators.ts';

/** Everything that determines the price of a message. */
export interface Pricing extends Groups {
  book: PriceBook;
  operators: OperatorTable;
}

@Injectable()
export class PricingService {
  constructor(
    private readonly tariffs: TariffsService,
    private readonly templates: TemplatesService,
  ) {}

  /** Of an account. Changes apply within a second. */
  async of(OwnerId: string): Promise<Pricing> {
    return {
      book: await this.tariffs.priceBook(OwnerId),
      operators: operators(),
      ...(await this.templates.groupsOf(OwnerId)),
    };
  }
}
