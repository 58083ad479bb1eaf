import { Controller } from '@nestjs/common';
import { signupForms, type ResponseOf } from '@heliograph/contract';
import type { Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { BrandsService } from '../brands/brands.service.ts';
import { present, type SignupForm } from './signup-form.entity.ts';
import { SignupFormsService } from './signup-forms.service.ts';
import { SignupFormsStore } from './signup-forms.store.ts';

@Controller()
export class SignupFormsController {
  constructor(
    private readonly service: SignupFormsService,
    private readonly store: SignupFormsStore,
    private readonly owners: Owners,
    private readonly brands: BrandsService,
  ) {}

  @Endpoint(signupForms.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof signupForms.find>,
  ): Promise<ResponseOf<typeof signupForms.find>> {
    const page = await this.store.find(actor.scope, query);
    return { ...page, data: await this.shown(actor, page.data) };
  }

  @Endpoint(signupForms.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof signupForms.get>,
  ): Promise<ResponseOf<typeof signupForms.get>> {
    return this.one(actor, await this.store.get(actor.scope, params.id));
  }

  @Endpoint(signupForms.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof signupForms.create>,
  ): Promise<ResponseOf<typeof signupForms.create>> {
    return this.one(actor, await this.service.create(actor, body));
  }

  @Endpoint(signupForms.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof signupForms.update>,
  ): Promise<ResponseOf<typeof signupForms.update>> {
    return this.one(actor, await this.service.update(actor, params.id, body));
  }

  @Endpoint(signupForms.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof signupForms.remove>,
  ): Promise<ResponseOf<typeof signupForms.remove>> {
    return this.service.remove(actor, params.id);
  }

  @Endpoint(signupForms.consents)
  async consents(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof signupForms.consents>,
  ): Promise<ResponseOf<typeof signupForms.consents>> {
    return { data: await this.service.consents(actor, params.id) };
  }

  /** The addresses are those of the brands under which the accounts see the installation. */
  private async shown(actor: Actor, rows: SignupForm[]) {
    const owned = await this.owners.withOwners(actor.level, rows);
    return Promise.all(
      owned.map(async (row) => {
        const { url } = await this.brands.ofUser(row.OwnerId);
        return present(row, actor.level, url);
      }),
    );
  }

  private async one(actor: Actor, row: SignupForm) {
    return (await this.shown(actor, [row]))[0]!;
  }
}
