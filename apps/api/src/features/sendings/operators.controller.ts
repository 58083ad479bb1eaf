import { Controller } from '@nestjs/common';
import { operators, type Answer } from '@heliograph/contract';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { operatorByCode } from './operators.ts';

@Controller()
export class OperatorsController {
  @Endpoint(operators.lookup)
  lookup(@Input() { query }: In<typeof operators.lookup>): Answer<typeof operators.lookup> {
    const data = query.mccmnc.flatMap((mccmnc) => {
      const operator = operatorByCode(mccmnc);
      return operator ? [{ mccmnc, ...operator }] : [];
    });
    return { data };
  }
}
