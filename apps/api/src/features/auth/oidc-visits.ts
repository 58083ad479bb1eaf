import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { KeptCookie } from '../../core/http/kept-cookie.ts';
import type { Asked, Confirmed } from './oidc-client.ts';

/** People sign in at the provider, and enter a code here, within this time. */
const VISIT_SECONDS = 600;
const PURPOSE = 'visit of an identity provider';

/** What a browser is about with a provider. */
export interface Visit {
  ProviderId: string;
  /** Of the user who links; null for a sign-in. */
  userId: string | null;
  /** In milliseconds. */
  begunAt: number;
  /** Until the provider has answered. */
  asked?: Asked;
  /** After that, until the code of the second factor is there. */
  confirmed?: Confirmed;
}

/** Visits of identity providers. They are kept sealed in a cookie of the browser, so that visitors leave no rows behind, and no other browser goes on. */
@Injectable()
export class OidcVisits {
  private readonly cookie: KeptCookie;

  constructor(
    private readonly box: SecretBox,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.cookie = new KeptCookie(config, 'visit');
  }

  /** The headers of the response that keep it. */
  async keep(
    visit: Omit<Visit, 'begunAt'> & { begunAt?: number },
  ): Promise<Record<string, string>> {
    const whole = { begunAt: this.clock.now().getTime(), ...visit };
    const sealed = await this.box.seal(JSON.stringify(whole), PURPOSE);
    return { 'set-cookie': this.cookie.keep(sealed.toString('base64url'), VISIT_SECONDS) };
  }

  /** That of the browser, if it is of this provider and user and in time. */
  async find(
    cookies: string | undefined,
    ProviderId: string,
    userId: string | null,
  ): Promise<Visit | null> {
    const kept = this.cookie.read(cookies);
    if (!kept) return null;
    const text = await this.box.open(Buffer.from(kept, 'base64url'), PURPOSE).catch(() => null);
    if (text === null) return null;
    const visit = JSON.parse(text) as Visit;
    const age = this.clock.now().getTime() - visit.begunAt;
    const isMeant = visit.ProviderId === ProviderId && visit.userId === userId;
    return isMeant && age <= VISIT_SECONDS * 1000 ? visit : null;
  }
}
