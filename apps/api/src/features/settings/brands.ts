import type { Frontend, Settings } from '@heliograph/contract';
import { SENDING_TYPES, type SendingType } from '@heliograph/domain';
import type { Config } from '../../core/config.ts';
import type { AppliedBrand } from '../brands/brands.service.ts';

export type Brand = Frontend['brand'];

const VK: SendingType[] = ['vk', 'chat_vk'];

interface Page {
  brand: AppliedBrand;
  /** Whether there are identity providers for all users. */
  identityProviders: boolean;
  /** Whether nobody administers the installation yet. */
  isNew?: boolean;
  /** Whether the page is at the domain of a brand, and not at `PUBLIC_URL`. */
  isElsewhere?: boolean;
}

/**
 * The name, colors and public settings of the cabinet. Passkeys and the returns of identity providers belong to `PUBLIC_URL`; who
 * registered at the domain of a brand would not be a customer of its reseller, who invites them instead.
 */
export function frontendOf(
  config: Config,
  { brand, identityProviders, isNew = false, isElsewhere = false }: Page,
): Frontend {
  const { title, colors, logo, locale, documents, support } = brand;
  return {
    title,
    brand: config.BRAND,
    colors,
    logo,
    locale,
    home: isElsewhere ? config.publicUrl : null,
    documents,
    support,
    recovery: config.mail !== 'off',
    passkeys: config.passkeyHost !== null && !isElsewhere,
    identityProviders: identityProviders && !isElsewhere,
    registration: config.REGISTRATION === 'open' && !isElsewhere,
    setup: isNew && !isElsewhere,
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
