import { Controller } from '@nestjs/common';
import { operators, type ResponseOf } from '@heliograph/contract';
import { Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { operatorByCode } from './operators.ts';

@Controller()
export class OperatorsController {
  @Endpoint(operators.lookup)
  lookup(@Input() { query }: In<typeof operators.lookup>): ResponseOf<typeof operators.lookup> {
    const { mccmnc = [], mcc, mnc } = query;
    const codes = mcc ? [...mccmnc, mnc ? mcc + mnc : `${mcc}*`] : mccmnc;
    const data = codes.flatMap((code) => {
      const operator = operatorByCode(code);
      return operator ? [{ mccmnc: code, ...operator }] : [];
    });
    return { data };
  }
}
