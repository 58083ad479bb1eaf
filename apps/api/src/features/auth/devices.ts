import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { SessionKey, type Key } from '../../core/auth/session-key.ts';
import { Config } from '../../core/config.ts';

const DAYS = 180;

/**
 * Browsers from which a user has signed in before. The cookie contains a device id signed for one username. It grants no
 * access, but such a device has its own count of failed logins.
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
    // The prefix requires TLS and prevents other hosts and paths from setting the cookie.
    this.name = this.isSecure ? '__Host-device' : 'device';
  }

  /** The device id of the cookie, if it was signed for this username. */
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

  /** The `Set-Cookie` header after a login; a known device keeps its id. */
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
