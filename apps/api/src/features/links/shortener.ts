import { Injectable } from '@nestjs/common';
import { MAX_LINK } from '@heliograph/contract';
import { Config } from '../../core/config.ts';
import { fetchService, unavailable } from '../../core/http/service-client.ts';

const TIMEOUT_MS = 5000;

/** Another service that shortens links, where one is configured: GET with `url`, the answer is the short link as text. */
@Injectable()
export class Shortener {
  constructor(private readonly config: Config) {}

  get isThere(): boolean {
    return this.config.LINKS_SHORTENER_URL !== undefined;
  }

  async shorten(url: string): Promise<string> {
    const address = new URL(this.config.LINKS_SHORTENER_URL!);
    address.searchParams.set('url', url);
    const { status, bytes } = await fetchService(address, {
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_LINK,
    });
    const short = bytes.toString('utf8').trim();
    if (status !== 200) throw unavailable(`the shortener answers ${status}`);
    if (!/^https?:\/\/[^\s<>"']+$/i.test(short))
      throw unavailable('the shortener answers no web address');
    return short;
  }
}
