import { storage } from '@heliograph/contract';
import { upload } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

export const STORAGE: SamplesOf<'storage'> = {
  storage: {
    find: (s) => listing('files', s.file()),
    get: (s) => byId('files', s.file(), { query: { return: 'meta' } }),
    getPublic: async (s) => {
      const id = await s.file();
      await s.owner.api(storage.update, { params: { id }, body: { isPublic: true } });
      const [file] = await s.world.db.query<{ key: string }>(
        `select public_key as key from files where id = $1`,
        [id],
      );
      return { call: { params: { key: file!.key } }, row: ['files', id], others: 'anything' };
    },
    usage: async (s) => creating(s, {}),
    preview: (s) => byId('files', s.file()),
    ticket: (s) => byId('files', s.file()),
    getByTicket: async (s) => {
      const id = await s.file();
      const { url } = await s.owner.api(storage.ticket, { params: { id } });
      const ticket = new URL(url, s.world.base).searchParams.get('ticket')!;
      return {
        call: { params: { id }, query: { ticket } },
        row: ['files', id],
        others: 'anything',
      };
    },
    create: async (s) => creating(s, { body: upload('Tea is ready') }),
    update: (s) => byId('files', s.file(), { body: { title: 'Renamed' } }),
    remove: (s) => byId('files', s.file()),
  },
};
