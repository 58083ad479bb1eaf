import type { MessageFile, MessageFiles } from '../../src/channels/channel.ts';

/** For channels that read no files. */
export const NO_FILES: MessageFiles = {
  read: () => Promise.reject(new Error('no files')),
  link: () => Promise.reject(new Error('no files')),
};

/** The files of a test, by id. */
export class KnownFiles implements MessageFiles {
  isAway = false;
  reads = 0;
  readonly link = NO_FILES.link;

  constructor(private readonly byId: Record<string, MessageFile>) {}

  read(id: string, maxBytes: number): ReturnType<MessageFiles['read']> {
    this.reads++;
    if (this.isAway) return Promise.reject(new Error('The store is away'));
    const file = this.byId[id];
    if (!file) return Promise.resolve('missing');
    return Promise.resolve(file.bytes.length > maxBytes ? 'too_large' : file);
  }
}
