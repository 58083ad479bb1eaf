import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Config } from '../config.ts';
import { GeneratedSecrets } from './generated-secrets.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Encrypts secrets that the installation has to read again, with AES-256-GCM and a key of the installation. The purpose
 * and the owner are authenticated, so that a stored value cannot stand for another one.
 */
@Injectable()
export class SecretBox {
  constructor(
    private readonly config: Config,
    private readonly secrets: GeneratedSecrets,
  ) {}

  /** Keys for another use of the same secrets; the first one is current. */
  async keysFor(use: string): Promise<Buffer[]> {
    const { SECRETS_KEY, SECRETS_KEY_PREVIOUS } = this.config;
    const generated = await this.secrets.get('secrets');
    return [SECRETS_KEY, SECRETS_KEY_PREVIOUS, generated].flatMap((secret) =>
      secret ? Buffer.from(hkdfSync('sha256', secret, '', use, KEY_BYTES)) : [],
    );
  }

  async seal(text: string, purpose: string): Promise<Buffer> {
    const [key] = await this.keys();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key!, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws if none of the keys sealed this value for this purpose. */
  async open(stored: Buffer, purpose: string): Promise<string> {
    for (const key of await this.keys()) {
      const text = opened(stored, purpose, key);
      if (text !== null) return text;
    }
    throw new Error(`A stored secret cannot be decrypted; was SECRETS_KEY changed? (${purpose})`);
  }

  /** The first key encrypts. The generated key stays readable after a key was configured. */
  private keys(): Promise<Buffer[]> {
    return this.keysFor('secret box');
  }
}

function opened(stored: Buffer, purpose: string, key: Buffer): string | null {
  const nonce = stored.subarray(0, NONCE_BYTES);
  const tag = stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const options = { authTagLength: TAG_BYTES };
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, nonce, options);
    cipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
    const sealed = stored.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([cipher.update(sealed), cipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
