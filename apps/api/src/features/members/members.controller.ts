import { Controller, Req } from '@nestjs/common';
import { members, type Member, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { localeOf } from '../../core/http/visitor.ts';
import { MembersService } from './members.service.ts';
import type { MemberRow } from './members.store.ts';

@Controller()
export class MembersController {
  constructor(private readonly service: MembersService) {}

  @Endpoint(members.find)
  async find(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof members.find>> {
    return { data: (await this.service.find(actor)).map(present) };
  }

  @Endpoint(members.create)
  async create(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof members.create>,
  ): Promise<ResponseOf<typeof members.create>> {
    const { locale, ...given } = body;
    const created = await this.service.create(actor, given, localeOf(request, locale));
    return { ...created, member: present(created.member) };
  }

  @Endpoint(members.invite)
  invite(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof members.invite>,
  ): Promise<ResponseOf<typeof members.invite>> {
    return this.service.invite(actor, params.id, localeOf(request, body.locale));
  }

  @Endpoint(members.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof members.update>,
  ): Promise<ResponseOf<typeof members.update>> {
    return present(await this.service.update(actor, params.id, body.role));
  }

  @Endpoint(members.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof members.remove>,
  ): Promise<ResponseOf<typeof members.remove>> {
    return this.service.remove(actor, params.id);
  }
}

const present = ({ invitedAt, lastUsedAt, createdAt, ...row }: MemberRow): Member => ({
  ...row,
  invitedAt: invitedAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});
