import { Controller } from '@nestjs/common';
import { identityProviders, type ResponseOf } from '@heliograph/contract';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { IdentityProvidersService } from './identity-providers.service.ts';

@Controller()
export class IdentityProvidersController {
  constructor(private readonly service: IdentityProvidersService) {}

  @Endpoint(identityProviders.find)
  find(): Promise<ResponseOf<typeof identityProviders.find>> {
    return this.service.find();
  }

  @Endpoint(identityProviders.create)
  create(
    @Input() { body }: In<typeof identityProviders.create>,
  ): Promise<ResponseOf<typeof identityProviders.create>> {
    return this.service.create(body);
  }

  @Endpoint(identityProviders.update)
  update(
    @Input() { params, body }: In<typeof identityProviders.update>,
  ): Promise<ResponseOf<typeof identityProviders.update>> {
    return this.service.update(params.id, body);
  }

  @Endpoint(identityProviders.remove)
  async remove(
    @Input() { params }: In<typeof identityProviders.remove>,
  ): Promise<ResponseOf<typeof identityProviders.remove>> {
    await this.service.remove(params.id);
    return { id: params.id };
  }
}
