import { Injectable } from '@nestjs/common';
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { SessionKey } from '../../core/auth/session-key.ts';

const NAME = 'device';
const DAYS = 180;

/**
 * Browsers that somebody has signed in from before. The cookie names a device and is signed for one username; it opens
 * nothing, but failures of strangers do not count against it.
 */
@Injectable()
export class Devices {
  constructor(private readonly key: SessionKey) {}

  /** The device that a cookie header names, if it was remembered for this username. */
  async recognise(cookies: string | undefined, username: string): Promise<string | null> {
    const value = new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]+)\\.([\\w-]+)`).exec(cookies ?? '');
    if (!value) return null;
    const [, id, signature] = value as unknown as [string, string, string];
    const expected = Buffer.from(await this.sign(id, username));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
  }

  /** The `Set-Cookie` of a device that signs in; one that is known keeps its name. */
  async remember(known: string | null, username: string): Promise<string> {
    const id = known ?? randomUUID();
    const value = `${id}.${await this.sign(id, username)}`;
    return `${NAME}=${value}; Path=/api; Max-Age=${DAYS * 86_400}; HttpOnly; SameSite=Strict`;
  }

  private async sign(id: string, username: string): Promise<string> {
    return createHmac('sha256', await this.key.get())
      .update(`device ${id} ${username.toLowerCase()}`)
      .digest('base64url');
  }
}
