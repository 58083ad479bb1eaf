import { parseCookie, stringifySetCookie } from 'cookie';
import type { Config } from '../config.ts';

/**
 * A cookie of the API that scripts cannot read and other sites cannot send. Behind TLS its name has a prefix that requires TLS and prevents
 * other hosts and paths from setting it.
 */
export class KeptCookie {
  private readonly isSecure: boolean;
  private readonly name: string;

  constructor(config: Config, name: string) {
    this.isSecure = config.publicUrl.startsWith('https:');
    this.name = this.isSecure ? `__Host-${name}` : name;
  }

  /** The value in the `Cookie` header. */
  read(cookies: string | undefined): string | undefined {
    return parseCookie(cookies ?? '')[this.name];
  }

  /** The `Set-Cookie` header. */
  keep(value: string, seconds: number): string {
    return stringifySetCookie({
      name: this.name,
      value,
      path: '/',
      maxAge: seconds,
      httpOnly: true,
      sameSite: 'strict',
      secure: this.isSecure,
    });
  }
}
