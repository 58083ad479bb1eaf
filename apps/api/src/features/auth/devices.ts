import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { SessionKey } from '../../core/auth/session-key.ts';
import { Config } from '../../core/config.ts';
import { KeptCookie } from '../../core/http/kept-cookie.ts';

const DAYS = 180;

/**
 * Browsers from which a user has signed in before. The cookie contains a device id signed for one username. It grants no
 * access, but such a device has its own count of failed logins.
 */
@Injectable()
export class Devices {
  private readonly cookie: KeptCookie;

  constructor(
    private readonly key: SessionKey,
    config: Config,
  ) {
    this.cookie = new KeptCookie(config, 'device');
  }

  /** The device id of the cookie, if it was signed for this username. */
  async recognise(cookies: string | undefined, username: string): Promise<string | null> {
    const [id, signature] = this.cookie.read(cookies)?.split('.') ?? [];
    if (!id || !signature) return null;
    return (await this.key.isSigned(signedText(id, username), signature)) ? id : null;
  }

  /** The `Set-Cookie` header after a login; a known device keeps its id. */
  async remember(known: string | null, username: string): Promise<string> {
    const id = known ?? randomUUID();
    const value = `${id}.${await this.key.sign(signedText(id, username))}`;
    return this.cookie.keep(value, DAYS * 86_400);
  }
}

const signedText = (id: string, username: string): string =>
  `device ${id} ${username.toLowerCase()}`;
