import { Controller } from '@nestjs/common';
import { documentTemplates, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { present } from './document-template.entity.ts';
import { DocumentTemplatesService } from './document-templates.service.ts';

@Controller()
export class DocumentTemplatesController {
  constructor(private readonly service: DocumentTemplatesService) {}

  @Endpoint(documentTemplates.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof documentTemplates.find>,
  ): Promise<ResponseOf<typeof documentTemplates.find>> {
    const page = await this.service.find(actor, query);
    return { ...page, data: page.data.map(present) };
  }

  @Endpoint(documentTemplates.preview)
  preview(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof documentTemplates.preview>,
  ): Promise<ResponseOf<typeof documentTemplates.preview>> {
    return this.service.preview(actor, body);
  }

  @Endpoint(documentTemplates.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof documentTemplates.get>,
  ): Promise<ResponseOf<typeof documentTemplates.get>> {
    return present(await this.service.get(actor, params.id));
  }

  @Endpoint(documentTemplates.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof documentTemplates.create>,
  ): Promise<ResponseOf<typeof documentTemplates.create>> {
    return present(await this.service.create(actor, body));
  }

  @Endpoint(documentTemplates.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof documentTemplates.update>,
  ): Promise<ResponseOf<typeof documentTemplates.update>> {
    return present(await this.service.update(actor, params.id, body));
  }

  @Endpoint(documentTemplates.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof documentTemplates.remove>,
  ): Promise<ResponseOf<typeof documentTemplates.remove>> {
    return this.service.remove(actor, params.id);
  }
}
