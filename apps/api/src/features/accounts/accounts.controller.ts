import { Controller, Req } from '@nestjs/common';
import { accountChanges, accountClosings, users, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { localeOf } from '../../core/http/visitor.ts';
import { UsersService } from '../users/users.service.ts';
import { AccountChangeFilesService } from './account-change-files.service.ts';
import { AccountChangesService } from './account-changes.service.ts';
import { AccountsService } from './accounts.service.ts';
import { ClosingsService } from './closings.service.ts';
import { NewAccountsService } from './new-accounts.service.ts';

@Controller()
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly newAccounts: NewAccountsService,
    private readonly users: UsersService,
    private readonly changes: AccountChangesService,
    private readonly files: AccountChangeFilesService,
    private readonly closings: ClosingsService,
  ) {}

  @Endpoint(users.create)
  async create(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof users.create>,
  ): Promise<ResponseOf<typeof users.create>> {
    const { locale, ...account } = body;
    const opened = await this.newAccounts.open(actor, account, localeOf(request, locale));
    return { ...opened, user: this.users.present(opened.user, actor.level) };
  }

  @Endpoint(users.invite)
  invite(
    @Req() request: Request,
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof users.invite>,
  ): Promise<ResponseOf<typeof users.invite>> {
    return this.newAccounts.inviteAgain(actor, params.id, localeOf(request, body.locale));
  }

  @Endpoint(users.configure)
  async configure(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof users.configure>,
  ): Promise<ResponseOf<typeof users.configure>> {
    const row = await this.accounts.configure(actor, params.id, body);
    return this.users.present(row, actor.level);
  }

  @Endpoint(accountChanges.apply)
  async apply(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof accountChanges.apply>,
  ): Promise<ResponseOf<typeof accountChanges.apply>> {
    return { data: await this.changes.apply(actor, body.changes) };
  }

  @Endpoint(accountChanges.preview)
  preview(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof accountChanges.preview>,
  ): Promise<ResponseOf<typeof accountChanges.preview>> {
    return this.files.preview(actor, body);
  }

  @Endpoint(accountClosings.preview)
  closing(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof accountClosings.preview>,
  ): Promise<ResponseOf<typeof accountClosings.preview>> {
    return this.closings.preview(actor, params.id);
  }

  @Endpoint(accountClosings.close)
  async close(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof accountClosings.close>,
  ): Promise<ResponseOf<typeof accountClosings.close>> {
    return this.users.present(await this.closings.close(actor, params.id, body), actor.level);
  }

  @Endpoint(accountClosings.reopen)
  async reopen(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof accountClosings.reopen>,
  ): Promise<ResponseOf<typeof accountClosings.reopen>> {
    return this.users.present(await this.closings.reopen(actor, params.id), actor.level);
  }
}
