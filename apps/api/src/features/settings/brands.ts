import type { Frontend, Settings } from '@heliograph/contract';
import { SENDING_TYPES, type SendingType } from '@heliograph/domain';
import type { Config } from '../../core/config.ts';

export type Brand = Frontend['brand'];

const COLORS: Record<Brand, Frontend['colors']> = {
  main: { primary: '#1c6dd0', accent: '#ffd43b' },
  alternate: { primary: '#0f766e', accent: '#fda4af' },
};
const VK: SendingType[] = ['vk', 'chat_vk'];

/** The name, colors and public settings of the installation. `identityProviders`: whether there are some for all users. */
export function frontendOf(config: Config, identityProviders: boolean): Frontend {
  const { BRAND, TITLE, PRIVACY_URL, OFFER_URL, mail } = config;
  const documents = { privacy: PRIVACY_URL ?? null, offer: OFFER_URL ?? null };
  const recovery = mail !== 'off';
  return {
    title: TITLE,
    brand: BRAND,
    colors: COLORS[BRAND],
    documents,
    support: {
      email: config.SUPPORT_EMAIL ?? null,
      phone: config.SUPPORT_PHONE ?? null,
      chat: config.SUPPORT_CHAT_URL ?? null,
    },
    recovery,
    passkeys: config.passkeyHost !== null,
    identityProviders,
    registration: config.REGISTRATION === 'open',
    password: config.passwordLimits,
  };
}

/** What an installation may have or not. */
export const featuresOf = ({ BRAND, INTEGRATIONS, BLOG_URL }: Config): Settings['features'] => ({
  integrations: BRAND === 'main' && INTEGRATIONS,
  blog: BLOG_URL ?? null,
});

/** The sending types of accounts without a setting of their own. `wapi` is added to those of an account that has a WhatsApp instance. */
export function typesOf(brand: Brand): SendingType[] {
  return SENDING_TYPES.filter(
    (type) => type !== 'wapi' && (brand === 'main' || !VK.includes(type)),
  );
}
