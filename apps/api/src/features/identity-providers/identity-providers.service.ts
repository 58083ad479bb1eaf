import { Injectable } from '@nestjs/common';
import {
  MAX_IDENTITY_PROVIDERS,
  type IdentityProvider,
  type IdentityProviderInput,
  type IdentityProviderUpdate,
  type OfferedProvider,
} from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import { AddressRefused, Outbound } from '../../core/http/outbound.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { AuthService } from '../auth/auth.service.ts';
import { IdentityProvidersStore, type IdentityProviderRow } from './identity-providers.store.ts';

const OFFERED = 'offered';
export const purposeOf = (id: string): string => `identity provider ${id}`;

/** The services of OpenID Connect that sign users in, as administrators set them up. */
@Injectable()
export class IdentityProvidersService {
  /** How providers are called. */
  readonly outbound: Outbound;
  private readonly cache = new TtlCache(() => this.store.offered());

  constructor(
    private readonly db: Db,
    private readonly store: IdentityProvidersStore,
    private readonly box: SecretBox,
    private readonly audit: Audit,
    private readonly auth: AuthService,
    private readonly config: Config,
  ) {
    this.outbound = new Outbound(config.OIDC_ALLOWED_HOSTS, 'OIDC_ALLOWED_HOSTS');
  }

  async find(): Promise<{ data: IdentityProvider[] }> {
    const rows = await this.store.find();
    return { data: rows.map((row) => this.present(row)) };
  }

  /** Those for all users. A change applies within a second. */
  offered(): Promise<OfferedProvider[]> {
    return this.cache.get(OFFERED);
  }

  async areOffered(): Promise<boolean> {
    return (await this.offered()).length > 0;
  }

  /** The address to which a provider returns people. Each has its own, so that none can pass on an answer of another. */
  redirectUri(id: string): string {
    return `${this.config.publicUrl}/login/oidc/${id}`;
  }

  private logoutUri(id: string): string {
    return `${this.config.publicUrl}/api/login/oidc/${id}/logout`;
  }

  async create(input: IdentityProviderInput): Promise<IdentityProvider> {
    await this.outbound.check(input.issuer).catch((error: unknown) => {
      if (!(error instanceof AddressRefused)) throw error;
      throw invalid('issuer', 'address', error.message);
    });
    requireMembers(input);
    const id = uuidv7();
    const secret = await this.box.seal(input.secret, purposeOf(id));
    return this.changed(async () => {
      if (input.AccountId && !(await this.store.isAccount(input.AccountId)))
        throw invalid('AccountId', 'unknown', 'There is no such account.');
      if ((await this.store.countLocked()) >= MAX_IDENTITY_PROVIDERS)
        throw new AppError(
          'conflict',
          `An installation has up to ${MAX_IDENTITY_PROVIDERS} identity providers`,
        );
      await this.store.create({ ...input, id, secret });
      for (const user of await this.store.bound(id)) await this.auth.endAll(user);
      return this.record(id, undefined);
    });
  }

  async update(
    id: string,
    { secret, ...changes }: IdentityProviderUpdate,
  ): Promise<IdentityProvider> {
    const sealed = secret === undefined ? null : await this.box.seal(secret, purposeOf(id));
    return this.changed(async () => {
      const before = await this.store.lock(id);
      if (!before) throw notFound();
      const after = { ...before, ...changes, secret: sealed ?? before.secret };
      requireMembers(after);
      const bound = new Set(await this.store.bound(id));
      await this.store.update(after);
      for (const user of await this.store.bound(id))
        if (!bound.has(user)) await this.auth.endAll(user);
      return this.record(id, before);
    });
  }

  /** With the identities of its users. */
  async remove(id: string): Promise<void> {
    await this.changed(async () => {
      const before = await this.store.lock(id);
      if (!before) throw notFound();
      await this.store.remove(id);
      const target = ['identityProviders', id] as const;
      await this.audit.record({ target, before: audited(before) });
    });
  }

  private changed<T>(change: () => Promise<T>): Promise<T> {
    return this.db.transaction(() => {
      this.db.afterCommit(() => this.cache.invalidate(OFFERED));
      return change();
    });
  }

  private async record(
    id: string,
    before: IdentityProviderRow | undefined,
  ): Promise<IdentityProvider> {
    const after = (await this.store.get(id))!;
    const isNewSecret = before && !before.secret.equals(after.secret);
    await this.audit.record({
      target: ['identityProviders', id],
      before: before && audited(before),
      after: { ...audited(after), ...(isNewSecret && { renewed: after.updatedAt }) },
    });
    return this.present(after);
  }

  private present({
    id,
    title,
    issuer,
    clientId,
    AccountId,
    account,
    levels,
    trustsSecondFactor,
    isActive,
    roles,
    groupsClaim,
    isRequired,
    users,
    updatedAt,
  }: IdentityProviderRow): IdentityProvider {
    return {
      id,
      title,
      issuer,
      clientId,
      account: AccountId === null ? null : { id: AccountId, username: account! },
      levels,
      trustsSecondFactor,
      isActive,
      roles,
      groupsClaim,
      isRequired,
      redirectUri: this.redirectUri(id),
      logoutUri: this.logoutUri(id),
      users,
      updatedAt: updatedAt.toISOString(),
    };
  }
}

/** For the audit log. */
const audited = (row: IdentityProviderRow) => ({
  title: row.title,
  issuer: row.issuer,
  clientId: row.clientId,
  AccountId: row.AccountId,
  levels: row.levels,
  trustsSecondFactor: row.trustsSecondFactor,
  isActive: row.isActive,
  roles: row.roles,
  groupsClaim: row.groupsClaim,
  isRequired: row.isRequired,
});

/** Roles and the only way in are those of the members of an account, who are users of the lowest level. */
function requireMembers({
  roles,
  isRequired,
  AccountId,
  levels,
}: Pick<IdentityProviderRow, 'roles' | 'isRequired' | 'AccountId' | 'levels'>): void {
  if (!roles.length && !isRequired) return;
  if (!AccountId)
    throw invalid('AccountId', 'required', 'Only the provider of an account has members.');
  if (!levels.includes('me'))
    throw invalid('levels', 'required', 'Members are users of the level "me".');
}
