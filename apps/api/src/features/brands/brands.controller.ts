import { Controller, Res } from '@nestjs/common';
import { brands, type ResponseOf } from '@heliograph/contract';
import type { Response } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { BrandsService } from './brands.service.ts';

@Controller()
export class BrandsController {
  constructor(private readonly service: BrandsService) {}

  @Endpoint(brands.get)
  get(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof brands.get>,
  ): Promise<ResponseOf<typeof brands.get>> {
    return this.service.get(actor, query.OwnerId);
  }

  @Endpoint(brands.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof brands.update>,
  ): Promise<ResponseOf<typeof brands.update>> {
    return this.service.update(actor, body);
  }

  @Endpoint(brands.setDomain)
  setDomain(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof brands.setDomain>,
  ): Promise<ResponseOf<typeof brands.setDomain>> {
    return this.service.setDomain(actor, body);
  }

  @Endpoint(brands.setLogo)
  setLogo(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof brands.setLogo>,
  ): Promise<ResponseOf<typeof brands.setLogo>> {
    return this.service.setLogo(actor, body);
  }

  /** The picture of a hash is the same for ever. It was checked to be a raster, and is in a sandbox all the same. */
  @Endpoint(brands.logo)
  async logo(
    @Input() { params }: In<typeof brands.logo>,
    @Res() response: Response,
  ): Promise<undefined> {
    const { type, bytes } = await this.service.logo(params.hash);
    response
      .set({
        'content-type': type,
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(bytes);
    return undefined;
  }
}
