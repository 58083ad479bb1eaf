import { systemMessages } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { creating, managed, type SamplesOf } from './sample.ts';

/** A worker has reached the bot. */
const withBot = ({ world }: Scene) =>
  world.db.query(
    `insert into telegram_bots (id, username) values ('sandbox', 'HeliographDemoBot') on conflict do nothing`,
  );

async function withChat(s: Scene) {
  await withBot(s);
  await s.world.db.query(
    `insert into telegram_chats (user_id, chat_id, name) values ($1, $2, 'Anna') on conflict (user_id) do nothing`,
    [s.owner.id, Date.now()],
  );
}

/** A system message of a manager. */
async function message({ world }: Scene) {
  const by = await world.person({ level: 'manager' });
  const audience = { to: 'own' as const };
  const { id } = await by.api(systemMessages.create, {
    body: { type: 'SystemPlatformIssues', title: 'Delays', text: 'Until 12:00', audience },
  });
  return { by, id };
}

export const NOTIFYING: SamplesOf<'notificationSettings' | 'systemMessages'> = {
  notificationSettings: {
    get: async (s) => creating(s, {}),
    update: async (s) =>
      creating(s, {
        params: { type: 'SendernameApproved' as const },
        body: { channel: 'email' as const, isOn: true },
      }),
    setLimits: async (s) => creating(s, { body: { limits: [{ balance: 100 }] } }),
    linkTelegram: async (s) => {
      await withBot(s);
      return creating(s, {});
    },
    unlinkTelegram: async (s) => {
      await withChat(s);
      return { call: {}, row: ['telegram_chats', s.owner.id, 'user_id'], others: 'own' };
    },
  },
  systemMessages: {
    find: async (s) => {
      const { by, id } = await message(s);
      return { call: {}, row: ['system_messages', id], others: 'anything', by };
    },
    get: async (s) => {
      const { by, id } = await message(s);
      return { call: { params: { id } }, row: ['system_messages', id], others: 'nothing', by };
    },
    create: async (s) =>
      managed(s, {
        call: {
          body: {
            type: 'SystemRouteIssues' as const,
            title: 'Delays',
            text: 'Until <b>12:00</b>',
            operator: 'Tea Mobile',
            audience: { to: 'accounts' as const, accounts: [s.owner.id] },
          },
        },
        row: ['users', s.owner.id] as [string, string],
        others: 'nothing' as const,
      }),
  },
};
