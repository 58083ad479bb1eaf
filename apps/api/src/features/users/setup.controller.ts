import { Controller, Req } from '@nestjs/common';
import { setup, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { visitorOf } from '../../core/http/visitor.ts';
import { SetupService } from './setup.service.ts';

@Controller()
export class SetupController {
  constructor(private readonly service: SetupService) {}

  @Endpoint(setup.create)
  create(
    @Req() request: Request,
    @Input() { body }: In<typeof setup.create>,
  ): Promise<ResponseOf<typeof setup.create>> {
    return this.service.setUp(body, visitorOf(request));
  }
}
