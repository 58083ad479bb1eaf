import type { MessageFiles } from '../../src/channels/channel.ts';

/** For channels that read no files. */
export const NO_FILES: MessageFiles = {
  read: () => Promise.reject(new Error('no files')),
  link: () => Promise.reject(new Error('no files')),
};
