import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { randomUUID } from 'node:crypto';
import { SessionKey } from '../../core/auth/session-key.ts';
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
    return (await this.key.isSigned(signedText(id, username), signature)) ? id : null;
  }

  /** The `Set-Cookie` header after a login; a known device keeps its id. */
  async remember(known: string | null, username: string): Promise<string> {
    const id = known ?? randomUUID();
    const value = `${id}.${await this.key.sign(signedText(id, username))}`;
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

const signedText = (id: string, username: string): string =>
  `device ${id} ${username.toLowerCase()}`;
