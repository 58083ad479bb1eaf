import {
  ADMINISTRATOR_GRANTS,
  createClient,
  identities,
  identityProviders,
  type Client,
  type Identity,
  type IdentityProvider,
  type IdentityProviderInput,
} from '@heliograph/contract';
import { Browser, type OidcPeer } from './peers/oidc-peer.ts';
import { PASSWORD, type Person, type World } from './world.ts';

/** Adds a provider, which is registered there. */
export async function withProvider(
  world: World,
  peer: OidcPeer,
  values: Partial<IdentityProviderInput> = {},
): Promise<IdentityProvider> {
  const { api } = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  const { url: issuer, clientId, secret } = peer;
  const levels = ['me', 'reseller', 'manager'] as const;
  const body = { title: 'Tea House', issuer, clientId, secret, levels: [...levels], ...values };
  const provider = await api(identityProviders.create, { body });
  peer.register(provider.redirectUri);
  return provider;
}

/** The API as a browser calls it, with its cookies, by a visitor or a user. */
export const through = ({ base }: World, browser: Browser, user?: Pick<Person, 'token'>): Client =>
  createClient({ base: `${base}/api`, token: () => user?.token, fetch: browser.fetch });

/** Links a user to the person whom the provider signs in. */
export async function withIdentity(
  world: World,
  user: Person,
  provider: IdentityProvider,
  code?: string,
): Promise<Identity> {
  const browser = new Browser();
  const api = through(world, browser, user);
  const params = { id: provider.id };
  const { url } = await api(identities.begin, { params, body: { password: PASSWORD, code } });
  return api(identities.create, { params, body: { answer: await browser.follow(url) } });
}
