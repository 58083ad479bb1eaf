import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { Config } from '../../core/config.ts';
import { isSameSecret } from '../../core/http/same-secret.ts';
import type { Integration } from './integration.entity.ts';

const SECRET_BYTES = 32;

/** Access to a portal, stored encrypted. */
export interface PortalAccess {
  access: string;
  refresh: string | null;
  expiresAt: string;
}

const PATHS = { bitrix24: 'bitrix24', crm: 'messages' } as const;
const purposeOf = (OwnerId: string) => `integrations ${OwnerId}`;

/** The secrets of integrations: a hash of those that are only compared, and those that are used again, encrypted. */
@Injectable()
export class IntegrationSecrets {
  constructor(
    private readonly box: SecretBox,
    private readonly config: Config,
  ) {}

  /** 256 random bits, which need no slow hash. */
  create(): { secret: string; hash: Buffer } {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    return { secret, hash: hashOf(secret) };
  }

  isSame(given: string | undefined, hash: Buffer): boolean {
    return given !== undefined && isSameSecret(hashOf(given), hash);
  }

  urlOf({ id, kind }: Pick<Integration, 'id' | 'kind'>, secret: string): string {
    return `${this.config.publicUrl}/api/integrations/${id}/${PATHS[kind]}/${secret}`;
  }

  seal(OwnerId: string, secret: string): Promise<Buffer> {
    return this.box.seal(secret, purposeOf(OwnerId));
  }

  open(OwnerId: string, sealed: Buffer): Promise<string> {
    return this.box.open(sealed, purposeOf(OwnerId));
  }

  sealAccess(OwnerId: string, access: PortalAccess): Promise<Buffer> {
    return this.seal(OwnerId, JSON.stringify(access));
  }

  async accessOf({
    OwnerId,
    access,
  }: Pick<Integration, 'OwnerId' | 'access'>): Promise<PortalAccess | null> {
    return access && (JSON.parse(await this.open(OwnerId, access)) as PortalAccess);
  }
}

export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
