import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ChannelConnections } from '../../channels/channel-connections.service.ts';
import { StorageService } from '../../storage/storage.service.ts';

/** Gives open channels the files that messages name: their accounts were checked when the messages were taken. */
@Injectable()
export class SubmitFilesService implements OnModuleInit {
  constructor(
    private readonly connections: ChannelConnections,
    private readonly storage: StorageService,
  ) {}

  onModuleInit(): void {
    this.connections.useFiles({
      read: (id, maxBytes) => this.storage.readWhole(id, maxBytes),
      link: (id) => this.storage.linkOf(id),
    });
  }
}
