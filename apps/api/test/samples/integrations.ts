import { hooks, integrations } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

const body = {
  kind: 'crm',
  title: 'Shop',
  sender: 'MIRTEA',
  recipient: 'phone',
  text: 'Order {{ number }} is ready',
} as const;
const create = ({ owner }: Scene) => owner.api(integrations.create, { body });
const integration = async (s: Scene) => (await create(s)).id;
const secretOf = (url: string) => url.split('/').at(-1)!;

/** Nothing listens there. */
const hook = { event: 'tasks.state', target_url: 'http://127.0.0.1:9/hook' } as const;

export const INTEGRATIONS: SamplesOf<'integrations' | 'hooks'> = {
  integrations: {
    find: (s) => listing('integrations', integration(s)),
    get: (s) => byId('integrations', integration(s)),
    create: async (s) => creating(s, { body }),
    update: (s) => byId('integrations', integration(s), { body: { title: 'Warehouse' } }),
    rotate: (s) => byId('integrations', integration(s)),
    remove: (s) => byId('integrations', integration(s)),
    receive: async (s) => {
      const { id, url } = await create(s);
      return {
        call: {
          params: { id, secret: secretOf(url) },
          body: { phone: '+79990000001', number: 42 },
        },
        row: ['integrations', id],
        others: 'anything',
      };
    },
    bitrix24: async (s) => {
      const given = { kind: 'bitrix24', title: 'CRM', sender: 'MIRTEA' } as const;
      const { id, url } = await s.owner.api(integrations.create, {
        body: { ...given, portal: 'http://127.0.0.1:9' },
      });
      const [token, applicationToken] = ['access', 'application'];
      await s.world.db.query(
        `update integrations set application_token = sha256($2::bytea) where id = $1`,
        [id, applicationToken],
      );
      return {
        call: {
          params: { id, secret: secretOf(url) },
          body: {
            message_id: token,
            message_to: '+79990000001',
            message_body: 'Tea',
            auth: { application_token: applicationToken },
          },
        },
        row: ['integrations', id],
        others: 'anything',
      };
    },
  },
  hooks: {
    subscribe: async (s) => creating(s, { body: hook }),
    unsubscribe: async (s) =>
      byId(
        'webhooks',
        s.owner.api(hooks.subscribe, { body: hook }).then(({ id }) => id),
      ),
    sample: async (s) => ({
      call: { params: { event: 'tasks.state' as const } },
      row: ['users', s.owner.id],
      others: 'own',
    }),
  },
};
