import { Controller, Req, Res } from '@nestjs/common';
import { storage, type ResponseOf } from '@heliograph/contract';
import type { Response } from 'express';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Files } from '../../core/files/files.ts';
import {
  Endpoint,
  Input,
  CurrentActor,
  type AppRequest,
  type In,
} from '../../core/http/endpoint.ts';
import { Quotas } from '../../core/quotas.ts';
import { redirectOrSend, sendFile } from './download.ts';
import { StorageService } from './storage.service.ts';
import { STORAGE_QUOTA, StorageStore } from './storage.store.ts';
import { present, type StoredFile } from './stored-file.entity.ts';
import { Previews } from './previews.ts';
import { Tickets } from './tickets.ts';
import { Uploads } from './uploads.ts';

@Controller()
export class StorageController {
  constructor(
    private readonly service: StorageService,
    private readonly store: StorageStore,
    private readonly uploads: Uploads,
    private readonly tickets: Tickets,
    private readonly config: Config,
    private readonly files: Files,
    private readonly quotas: Quotas,
    private readonly previews: Previews,
  ) {}

  @Endpoint(storage.find)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof storage.find>,
  ): Promise<ResponseOf<typeof storage.find>> {
    const page = await this.service.find(actor, query);
    return { ...page, data: await this.presented(page.data) };
  }

  /** Before `get`, whose path matches it as well. */
  @Endpoint(storage.usage)
  usage(@CurrentActor() actor: Actor): Promise<ResponseOf<typeof storage.usage>> {
    return this.quotas.usage(STORAGE_QUOTA, actor.OwnerId);
  }

  /** Writes the answer itself: the bytes, or with `return=meta` the entity. */
  @Endpoint(storage.get)
  async get(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof storage.get>,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<ResponseOf<typeof storage.get> | undefined> {
    const file = await this.service.get(actor, params.id);
    if (query.return !== 'meta') {
      await sendFile({ request, response, file, files: this.files });
      return undefined;
    }
    const meta = await this.shown(file);
    response.json(meta);
    return meta;
  }

  @Endpoint(storage.preview)
  async preview(
    @CurrentActor() actor: Actor,
    @Input() { params, query }: In<typeof storage.preview>,
  ): Promise<ResponseOf<typeof storage.preview>> {
    return this.previews.read(await this.service.get(actor, params.id), query.sheet);
  }

  @Endpoint(storage.ticket)
  async ticket(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof storage.ticket>,
  ): Promise<ResponseOf<typeof storage.ticket>> {
    const { id } = await this.service.get(actor, params.id);
    return this.tickets.create(id);
  }

  @Endpoint(storage.getByTicket)
  async getByTicket(
    @Input() { params, query }: In<typeof storage.getByTicket>,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<undefined> {
    await this.tickets.verify(params.id, query.ticket);
    const file = await this.store.get(systemScope, params.id);
    await redirectOrSend({ request, response, file, files: this.files });
    return undefined;
  }

  @Endpoint(storage.create)
  async create(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof storage.create>,
    @Req() request: AppRequest,
  ): Promise<ResponseOf<typeof storage.create>> {
    const upload = await this.uploads.receive(request);
    const { isPublic, preset } = query;
    return this.shown(await this.service.save(actor.OwnerId, upload, { isPublic, preset }));
  }

  @Endpoint(storage.getPublic)
  async getPublic(
    @Input() { params }: In<typeof storage.getPublic>,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<undefined> {
    const file = await this.service.getPublic(params.key);
    await redirectOrSend({ request, response, file, files: this.files });
    return undefined;
  }

  @Endpoint(storage.update)
  async update(
    @CurrentActor() actor: Actor,
    @Input() { params, body }: In<typeof storage.update>,
  ): Promise<ResponseOf<typeof storage.update>> {
    return this.shown(await this.service.update(actor, params.id, body));
  }

  @Endpoint(storage.remove)
  remove(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof storage.remove>,
  ): Promise<ResponseOf<typeof storage.remove>> {
    return this.service.remove(actor, params.id);
  }

  private async shown(file: StoredFile): Promise<ReturnType<typeof present>> {
    return (await this.presented([file]))[0]!;
  }

  private async presented(files: StoredFile[]): Promise<ReturnType<typeof present>[]> {
    const locked = await this.store.withLocks(files);
    return locked.map((file) => present(file, this.config.publicUrl));
  }
}
