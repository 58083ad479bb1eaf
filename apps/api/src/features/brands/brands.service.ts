import { Injectable } from '@nestjs/common';
import { CONTRAST_MESSAGES, type Brand, type brands, type Frontend } from '@heliograph/contract';
import {
  logoError,
  logoFacts,
  MAX_LOGO_BYTES,
  MAX_LOGO_SIDE,
  MIN_LOGO_SIDE,
  unreadableColor,
  type Locale,
} from '@heliograph/domain';
import { createHash } from 'node:crypto';
import { Audit } from '../../core/audit/audit.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db, violated } from '../../core/db/db.ts';
import { invalid, notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { BrandsStore, type BrandRow, type Logo } from './brands.store.ts';

/** A brand in full: what a reseller has not chosen is that of the installation. */
export interface AppliedBrand {
  title: string;
  colors: Frontend['colors'];
  logo: Frontend['logo'];
  support: Frontend['support'];
  documents: Frontend['documents'];
  locale: Locale | null;
  /** Address of the cabinet, without a slash at the end: links in e-mails begin with it. */
  url: string;
  /** Name of the sender of e-mails; null for that of the installation. */
  sender: string | null;
}

const COLORS: Record<Frontend['brand'], Frontend['colors']> = {
  main: { primary: '#1c6dd0', accent: '#ffd43b' },
  alternate: { primary: '#0f766e', accent: '#fda4af' },
};
const DOMAINS = 'domains';
const LOGO_MESSAGES = {
  logo_bytes: `The picture must have at most ${MAX_LOGO_BYTES / 1024} KiB.`,
  logo_type: 'The picture must be a PNG, JPEG or WebP.',
  logo_side: `Each side of the picture must have ${MIN_LOGO_SIDE} to ${MAX_LOGO_SIDE} pixels.`,
};

/** How resellers appear to their customers. docs/decisions/169-brands-of-resellers.md. */
@Injectable()
export class BrandsService {
  /** Accounts by the hosts of their brands. Hosts that are asked for are not cached: anybody can name any. */
  private readonly domains = new TtlCache(
    async () => new Map((await this.store.domains()).map((one) => [one.domain, one.OwnerId])),
  );
  /** By user. A change applies within a second. */
  private readonly applied = new TtlCache(async (userId: string) =>
    this.apply(await this.store.ofUser(userId)),
  );

  constructor(
    private readonly db: Db,
    private readonly store: BrandsStore,
    private readonly audit: Audit,
    private readonly config: Config,
  ) {}

  /** By the environment. */
  get installation(): AppliedBrand {
    return this.apply(undefined);
  }

  /** What a user sees: the brand of the reseller of its account. */
  ofUser(userId: string): Promise<AppliedBrand> {
    return this.applied.get(userId);
  }

  /** By the header Host, before the sign-in; null for every host that is not the domain of a brand. */
  async ofHost(host: string | undefined): Promise<AppliedBrand | null> {
    if (!host) return null;
    const owner = (await this.domains.get(DOMAINS)).get(
      host.toLowerCase().replace(/:\d{1,5}$/, ''),
    );
    return owner === undefined ? null : this.applied.get(owner);
  }

  async get(actor: Actor, OwnerId = actor.OwnerId): Promise<Brand> {
    return this.present(OwnerId, await this.find(actor, OwnerId));
  }

  async update(
    actor: Actor,
    { OwnerId = actor.OwnerId, ...given }: In<typeof brands.update>['body'],
  ): Promise<Brand> {
    const { colors } = this.installation;
    const field = unreadableColor({
      primary: given.primary ?? colors.primary,
      accent: given.accent ?? colors.accent,
    });
    // A colour of the installation is not the reseller's fault; one with it is.
    if (field)
      throw invalid(given[field] ? field : 'primary', 'contrast', CONTRAST_MESSAGES[field]);
    return this.changed(actor, OwnerId, () => this.store.set(OwnerId, given));
  }

  async setDomain(
    actor: Actor,
    { OwnerId, domain }: In<typeof brands.setDomain>['body'],
  ): Promise<Brand> {
    const isTaken = () =>
      invalid('domain', 'domain_taken', 'The domain is that of another brand or installation.');
    if (domain === new URL(this.config.publicUrl).hostname) throw isTaken();
    return this.changed(actor, OwnerId, () => this.store.setDomain(OwnerId, domain)).catch(
      (error: unknown) => {
        throw violated(error) === 'brands_domain' ? isTaken() : error;
      },
    );
  }

  async setLogo(
    actor: Actor,
    { OwnerId = actor.OwnerId, scheme, image }: In<typeof brands.setLogo>['body'],
  ): Promise<Brand> {
    const logo = image === null ? null : readLogo(image);
    return this.changed(actor, OwnerId, () => this.store.setLogo(OwnerId, scheme, logo));
  }

  async logo(hash: string): Promise<Omit<Logo, 'hash'>> {
    const logo = await this.store.logo(hash);
    if (!logo) throw notFound();
    return logo;
  }

  private async changed(
    actor: Actor,
    OwnerId: string,
    change: () => Promise<void>,
  ): Promise<Brand> {
    const after = await this.db.transaction(async () => {
      await this.find(actor, OwnerId);
      await this.store.lock(OwnerId);
      const before = await this.find(actor, OwnerId);
      await change();
      const row = await this.find(actor, OwnerId);
      await this.audit.record({ OwnerId, target: ['users', OwnerId], before, after: row });
      return row;
    });
    this.domains.invalidate(DOMAINS);
    this.applied.invalidate(OwnerId);
    this.applied.invalidate(actor.userId);
    return this.present(OwnerId, after);
  }

  /** A reseller has no part in the brands of other resellers, also of those that are its customers. */
  private async find({ scope, level, OwnerId: own }: Actor, OwnerId: string): Promise<BrandRow> {
    if (level !== 'manager' && OwnerId !== own) throw notFound();
    const row = await this.store.get(scope, OwnerId);
    if (!row) throw invalid('OwnerId', 'unknown', 'There is no such reseller.');
    return row;
  }

  private present(OwnerId: string, { light, dark, ...row }: BrandRow): Brand {
    const { title, colors, support, documents, locale } = this.installation;
    return {
      OwnerId,
      ...row,
      logo: light && logoPath(light),
      darkLogo: dark && logoPath(dark),
      installation: { title, ...colors, ...support, ...documents, locale },
    };
  }

  private apply(row: BrandRow | undefined): AppliedBrand {
    const { BRAND, TITLE, PRIVACY_URL, OFFER_URL, publicUrl } = this.config;
    const { primary, accent } = COLORS[BRAND];
    const light = row?.light ?? row?.dark;
    return {
      title: row?.title ?? TITLE,
      colors: { primary: row?.primary ?? primary, accent: row?.accent ?? accent },
      logo: light ? { light: logoPath(light), dark: logoPath(row?.dark ?? light) } : null,
      support: {
        email: row?.email ?? this.config.SUPPORT_EMAIL ?? null,
        phone: row?.phone ?? this.config.SUPPORT_PHONE ?? null,
        chat: row?.chat ?? this.config.SUPPORT_CHAT_URL ?? null,
      },
      documents: {
        privacy: row?.privacy ?? PRIVACY_URL ?? null,
        offer: row?.offer ?? OFFER_URL ?? null,
      },
      locale: row?.locale ?? null,
      url: row?.domain ? `https://${row.domain}` : publicUrl,
      sender: row?.title ?? null,
    };
  }
}

const logoPath = (hash: string) => `/api/brands/logos/${hash}`;

/** Refuses what is no raster, whatever it is called. */
function readLogo(image: string): Logo {
  const bytes = Buffer.from(image, 'base64');
  const error = logoError(bytes);
  if (error) throw invalid('image', error, LOGO_MESSAGES[error]);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { hash, type: logoFacts(bytes)!.type, bytes };
}
