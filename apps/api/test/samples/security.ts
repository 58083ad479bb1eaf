import { randomUUID } from 'node:crypto';
import { identities, passkeys, secondFactor } from '@heliograph/contract';
import { Authenticator, withPasskey } from '../authenticator.ts';
import { authenticatorOf, withSecondFactor } from '../second-factor.ts';
import { through, withIdentity, withProvider } from '../identities.ts';
import { Browser, OidcPeer } from '../peers/oidc-peer.ts';
import type { Scene } from '../scene.ts';
import { PASSWORD } from '../world.ts';
import {
  administered,
  administrator,
  byId,
  creating,
  listing,
  managed,
  type SamplesOf,
} from './sample.ts';

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

let peer: Promise<OidcPeer> | undefined;
/** One for all samples of a process. It ends with the process. */
const peerOf = () => (peer ??= new OidcPeer().start());

async function identityOf({ world, owner }: Scene): Promise<string> {
  const at = await peerOf();
  at.person = randomUUID();
  return (await withIdentity(world, owner, await withProvider(world, at))).id;
}

/** Of a provider that a browser has gone to. */
async function visited({ world, owner }: Scene, isLinking: boolean) {
  const at = await peerOf();
  at.person = randomUUID();
  const provider = await withProvider(world, at);
  const browser = new Browser();
  const params = { id: provider.id };
  if (!isLinking) await withIdentity(world, owner, provider);
  const { url } = isLinking
    ? await through(world, browser, owner)(identities.begin, { params, body })
    : await through(world, browser)(identities.start, { params });
  const answer = await browser.follow(url);
  return { params, body: { answer }, headers: { cookie: browser.header } };
}

const providerOf = async ({ world }: Scene): Promise<string> =>
  (await withProvider(world, await peerOf())).id;

export const SECURITY: SamplesOf<
  'identities' | 'identityProviders' | 'passkeys' | 'secondFactor' | 'sessions'
> = {
  identityProviders: {
    find: async (s) => ({
      by: await administrator(s),
      call: {},
      row: ['identity_providers', await providerOf(s)],
      others: 'nothing',
    }),
    create: async (s) => {
      const { url: issuer, clientId, secret } = await peerOf();
      const values = { title: 'Tea House', issuer, clientId, secret, levels: ['me' as const] };
      return { ...creating(s, { body: values }), by: await administrator(s), others: 'nothing' };
    },
    update: (s) =>
      administered(s, byId('identity_providers', providerOf(s), { body: { title: 'Tea' } })),
    remove: (s) => administered(s, byId('identity_providers', providerOf(s))),
  },
  identities: {
    find: (s) => listing('identities', identityOf(s)),
    begin: async (s) => creating(s, { params: { id: await providerOf(s) }, body }),
    create: async (s) => ({ ...creating(s, await visited(s, true)), others: 'anything' }),
    remove: (s) => byId('identities', identityOf(s)),
    offered: async (s) => ({ ...creating(s, {}), others: 'anything' }),
    start: async (s) => ({
      ...creating(s, { params: { id: await providerOf(s) } }),
      others: 'anything',
    }),
    signIn: async (s) => ({ ...creating(s, await visited(s, false)), others: 'anything' }),
    confirm: async (s) => {
      const { params, body: answered, headers } = await visited(s, false);
      const app = await withSecondFactor(s.world, s.owner);
      const { cookie } = headers;
      const browser = new Browser(cookie);
      await through(s.world, browser)(identities.signIn, { params, body: answered }).catch(
        () => undefined,
      );
      const call = { params, body: { code: app.next() }, headers: { cookie: browser.header } };
      return { ...creating(s, call), others: 'anything' };
    },
    logout: async (s) => {
      const peer = await peerOf();
      const call = {
        params: { id: await providerOf(s) },
        body: { logout_token: peer.logoutToken() },
      };
      return { ...creating(s, call), others: 'anything' };
    },
  },
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
