import { passkeys, secondFactor } from '@heliograph/contract';
import { Authenticator, withPasskey } from '../authenticator.ts';
import { authenticatorOf, withSecondFactor } from '../second-factor.ts';
import type { Scene } from '../scene.ts';
import { PASSWORD } from '../world.ts';
import { byId, creating, listing, managed, type SamplesOf } from './sample.ts';

const body = { password: PASSWORD };
const factorOf = ({ owner }: Scene): [string, string, string] => [
  'second_factors',
  owner.id,
  'user_id',
];

/** A session beside that of the calls. */
async function otherSession({ world, owner }: Scene): Promise<string> {
  await world.login(owner.username);
  const [row] = await world.db.query<{ id: string }>(
    `select id from sessions where user_id = $1 order by id desc limit 1`,
    [owner.id],
  );
  return row!.id;
}

const passkeyOf = async ({ world, owner }: Scene): Promise<string> =>
  (await withPasskey(world, owner)).passkey.id;

export const SECURITY: SamplesOf<'passkeys' | 'secondFactor' | 'sessions'> = {
  passkeys: {
    find: (s) => listing('passkeys', passkeyOf(s)),
    begin: async (s) => creating(s, { body }),
    create: async (s) => {
      const credential = new Authenticator(s.world).create(
        await s.owner.api(passkeys.begin, { body }),
      );
      return { ...creating(s, { body: { title: 'Laptop', credential } }), others: 'anything' };
    },
    update: (s) => byId('passkeys', passkeyOf(s), { body: { title: 'Phone' } }),
    remove: (s) => byId('passkeys', passkeyOf(s)),
    signInOptions: async (s) => ({ ...creating(s, {}), others: 'anything' }),
    signIn: async (s) => {
      const device = await withPasskey(s.world, s.owner);
      const options = await s.world.client()(passkeys.signInOptions);
      return {
        ...creating(s, { body: { credential: device.sign(options) } }),
        others: 'anything',
      };
    },
  },
  secondFactor: {
    get: async (s) => creating(s, {}),
    setUp: async (s) => creating(s, { body }),
    enable: async (s) => {
      // Other accounts have begun to set it up in other calls.
      await s.world.db.query(`delete from second_factors where enabled_at is null`);
      const { secret } = await s.owner.api(secondFactor.setUp, { body });
      const code = authenticatorOf(s.world, secret).next();
      return { call: { body: { code } }, row: factorOf(s), others: 'nothing' };
    },
    disable: async (s) => {
      const code = (await withSecondFactor(s.world, s.owner)).next();
      return {
        call: { body: { ...body, code } },
        row: ['users', s.owner.id],
        others: 'nothing',
      };
    },
    replaceCodes: async (s) => {
      const code = (await withSecondFactor(s.world, s.owner)).next();
      return { call: { body: { ...body, code } }, row: factorOf(s), others: 'nothing' };
    },
    reset: async (s) => {
      await withSecondFactor(s.world, s.owner);
      return managed(s, byId('users', Promise.resolve(s.owner.id), { body }));
    },
  },
  sessions: {
    find: (s) => listing('sessions', otherSession(s)),
    remove: (s) => byId('sessions', otherSession(s)),
    removeOthers: async (s) => ({
      call: {},
      row: ['sessions', await otherSession(s)],
      others: 'own',
    }),
  },
};
