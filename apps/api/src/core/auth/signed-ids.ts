import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from './secret-box.ts';

const ID_BYTES = 16;
/** 72 bits, which cannot be guessed over the network; the token stays short enough for an SMS. */
const MAC_BYTES = 9;
const TOKEN = /^[A-Za-z0-9_-]{34}$/;

/** Ids of messages with a signature, in 34 characters: what a recipient carries back without a session. A token of one use is none of another. */
export class SignedIds {
  private loaded: Promise<Buffer[]> | null = null;

  constructor(
    private readonly box: SecretBox,
    private readonly use: string,
  ) {}

  async signer(): Promise<(id: string) => string> {
    const [key] = await this.keys();
    return (id) => tokenOf(bytesOf(id), key!);
  }

  /** The id; null if the token is not genuine. */
  async read(token: string): Promise<string | null> {
    if (!TOKEN.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    // Four bits of the last character are padding: one signature has one token.
    if (bytes.toString('base64url') !== token) return null;
    const id = bytes.subarray(0, ID_BYTES);
    const given = bytes.subarray(ID_BYTES);
    for (const key of await this.keys())
      if (timingSafeEqual(macOf(id, key), given)) return uuidOf(id);
    return null;
  }

  private keys(): Promise<Buffer[]> {
    this.loaded ??= this.box.keysFor(this.use).catch((error: unknown) => {
      this.loaded = null;
      throw error;
    });
    return this.loaded;
  }
}

const macOf = (id: Buffer, key: Buffer): Buffer =>
  createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);
const tokenOf = (id: Buffer, key: Buffer): string =>
  Buffer.concat([id, macOf(id, key)]).toString('base64url');
const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const uuidOf = (id: Buffer): string =>
  id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
