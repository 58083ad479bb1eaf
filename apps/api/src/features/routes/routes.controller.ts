import { Controller } from '@nestjs/common';
import { routes, type ResponseOf } from '@heliograph/contract';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { RoutesService } from './routes.service.ts';

@Controller()
export class RoutesController {
  constructor(private readonly service: RoutesService) {}

  @Endpoint(routes.find)
  find(@Input() { query }: In<typeof routes.find>): Promise<ResponseOf<typeof routes.find>> {
    return this.service.find(query);
  }

  @Endpoint(routes.get)
  get(@Input() { params }: In<typeof routes.get>): Promise<ResponseOf<typeof routes.get>> {
    return this.service.get(params.id);
  }

  @Endpoint(routes.create)
  create(@Input() { body }: In<typeof routes.create>): Promise<ResponseOf<typeof routes.create>> {
    return this.service.create(body);
  }

  @Endpoint(routes.update)
  update(
    @Input() { params, body }: In<typeof routes.update>,
  ): Promise<ResponseOf<typeof routes.update>> {
    return this.service.update(params.id, body);
  }

  @Endpoint(routes.remove)
  remove(@Input() { params }: In<typeof routes.remove>): Promise<ResponseOf<typeof routes.remove>> {
    return this.service.remove(params.id);
  }
}
