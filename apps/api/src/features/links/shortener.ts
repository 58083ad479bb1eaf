import { Injectable } from '@nestjs/common';
import { MAX_LINK } from '@heliograph/contract';
import { Config } from '../../core/config.ts';
import { fetchService, unavailable } from '../../core/http/service-client.ts';

const TIMEOUT_MS = 5000;

/** An optional external shortener: GET with the parameter `url`, responds with the short link as text. */
@Injectable()
export class Shortener {
  constructor(private readonly config: Config) {}

  get isConfigured(): boolean {
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
    if (status !== 200) throw unavailable(`the shortener responded with status ${status}`);
    if (!/^https?:\/\/[^\s<>"']+$/i.test(short))
      throw unavailable('the shortener did not return a URL');
    return short;
  }
}
