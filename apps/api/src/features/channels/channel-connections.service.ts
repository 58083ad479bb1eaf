import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  ChannelDown,
  type Inbox,
  type MessageFiles,
  type OpenDriver,
  type PushDevices,
  type SenderAccounts,
} from '../../channels/channel.ts';
import { OpenChannels } from '../../channels/registry.ts';
import { ProcessKind } from '../../core/process-kind.ts';
import { ChannelChats } from './channel-chats.service.ts';
import { ChannelExchanges } from './channel-exchanges.service.ts';
import { ChannelSessions } from './channel-sessions.service.ts';
import { ChannelsService } from './channels.service.ts';

/** The open channels of a worker. Other processes know channels by their facts alone. */
@Injectable()
export class ChannelConnections implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly open: OpenChannels;
  private senders?: SenderAccounts;
  private inbox?: (channel: string) => Inbox;
  private files?: MessageFiles;
  private devices?: PushDevices;

  constructor(
    private readonly channels: ChannelsService,
    private readonly process: ProcessKind,
    private readonly sessions: ChannelSessions,
    exchanges: ChannelExchanges,
    chats: ChannelChats,
  ) {
    this.open = new OpenChannels({
      exchanges,
      outbound: channels.outbound,
      senders: {
        send: (batch, context) =>
          this.senders?.send(batch, context) ??
          Promise.reject(new ChannelDown('nothing sends from accounts of senders', 60_000)),
      },
      files: {
        read: (id, maxBytes) =>
          this.files?.read(id, maxBytes) ?? Promise.reject(new Error('Nothing reads files')),
        link: (id) => this.files?.link(id) ?? Promise.reject(new Error('Nothing reads files')),
      },
      devices: {
        of: (references, kind) =>
          this.devices?.of(references, kind) ?? Promise.reject(new Error('Nothing knows devices')),
        remove: (ids) => this.devices?.remove(ids) ?? Promise.resolve(),
      },
      chats: (channel) => chats.of(channel),
      inbox: (channel) => {
        if (!this.inbox) throw new Error('Nothing takes what carriers push');
        return this.inbox(channel);
      },
    });
  }

  /** The open channel; undefined when it was removed. Throws ChannelDown when it cannot be opened. */
  async of(name: string, isFresh = false): Promise<OpenDriver | undefined> {
    this.assertWorker();
    const channel = await this.channels.settings(name, isFresh);
    const facts = channel && (await this.channels.factsOf(name));
    if (facts?.sessions) return this.sessions.submitter(name, facts);
    return channel && this.open.open(channel);
  }

  /** The channel with its settings of a revision, under which a batch was submitted. */
  async ofRevision(name: string, revision: number | null): Promise<OpenDriver> {
    this.assertWorker();
    const channel = await this.channels.get(name);
    const former =
      revision !== null && revision !== channel.revision
        ? await this.open.openFormer(revision, () => this.channels.formerSettings(revision))
        : undefined;
    return former ?? this.open.open(channel);
  }

  /** What sends from accounts that belong to senders; for drivers without a carrier of their own. */
  useSenders(senders: SenderAccounts): void {
    this.senders = senders;
  }

  /** What reads the files that messages name. */
  useFiles(files: MessageFiles): void {
    this.files = files;
  }

  /** What knows the devices that get push messages. */
  useDevices(devices: PushDevices): void {
    this.devices = devices;
  }

  /** What takes the reports and messages that carriers push. */
  useInbox(inbox: (channel: string) => Inbox): void {
    this.inbox = inbox;
  }

  /** After everything that channels need is there. */
  onApplicationBootstrap(): void {
    if (this.process.kind === 'worker')
      this.sessions.start((channel) => this.open.openAnother(channel));
  }

  onApplicationShutdown(): Promise<void> {
    return this.open.close();
  }

  private assertWorker(): void {
    if (this.process.kind !== 'worker') throw new Error('Only workers open channels');
  }
}
