import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { SessionKey, type Key } from '../../core/auth/session-key.ts';
import { Config } from '../../core/config.ts';

const DAYS = 180;

/**
 * Browsers that somebody has signed in from before. The cookie names a device and is signed for one username; it opens
 * nothing, but failures of strangers do not count against it.
 */
@Injectable()
export class Devices {
  private readonly isSecure: boolean;
  private readonly name: string;

  constructor(
    private readonly key: SessionKey,
    config: Config,
  ) {
    this.isSecure = config.publicUrl.startsWith('https:');
    // Browsers take the prefix over TLS only, and then let no other host or path set the cookie.
    this.name = this.isSecure ? '__Host-device' : 'device';
  }

  /** The device that a cookie header names, if it was remembered for this username. */
  async recognise(cookies: string | undefined, username: string): Promise<string | null> {
    const [id, signature] = parseCookie(cookies ?? '')[this.name]?.split('.') ?? [];
    if (!id || !signature) return null;
    const given = Buffer.from(signature);
    const isSigned = (key: Key) => {
      const expected = Buffer.from(sign(key, id, username));
      return given.length === expected.length && timingSafeEqual(given, expected);
    };
    return (await this.key.all()).some(isSigned) ? id : null;
  }

  /** The `Set-Cookie` of a device that signs in; one that is known keeps its name. */
  async remember(known: string | null, username: string): Promise<string> {
    const id = known ?? randomUUID();
    const value = `${id}.${sign(await this.key.current(), id, username)}`;
    return stringifySetCookie({
      name: this.name,
      value,
      path: '/',
      maxAge: DAYS * 86_400,
      httpOnly: true,
      sameSite: 'strict',
      secure: this.isSecure,
    });
  }
}

function sign({ secret }: Key, id: string, username: string): string {
  return createHmac('sha256', secret)
    .update(`device ${id} ${username.toLowerCase()}`)
    .digest('base64url');
}
