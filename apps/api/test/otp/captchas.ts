import { otpHandler } from '@heliograph/contract';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { otpWidget } from '../otp.ts';
import { errorOf, from, refusal, type OtpScene } from './scene.ts';

const PROVIDERS = ['google', 'yandex', 'cloudflare'] as const;
type Provider = (typeof PROVIDERS)[number];
const SECRET = 'the secret of the site';

/** Answers that are none, by the token that asks for them. */
const FAULTS: Record<string, (response: ServerResponse) => void> = {
  silence: () => undefined,
  'a closed connection': (response) => void response.destroy(),
  'an error': (response) => void response.writeHead(500).end('{"success": true, "status": "ok"}'),
  'a redirect': (response) => void response.writeHead(302, { location: '/' }).end(),
  nothing: (response) => void response.end(),
  'a page': (response) => void response.end('<html></html>'),
  'the text null': (response) => void response.end('null'),
  'a list': (response) => void response.end('[{"success": true}]'),
  'other types': (response) =>
    void response.end('{"success": "true", "status": {"ok": 1}, "score": "NaN"}'),
  '10 MB': (response) =>
    void response.end(`{"success": true, "status": "ok"${' '.repeat(10 << 20)}}`),
};

/** The verification of tokens as the three providers do it: a token is right if it begins so. */
class CaptchaPeer {
  readonly asked: Record<string, string>[] = [];
  private readonly server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(text)) as Record<string, string>;
      this.asked.push(form);
      const provider = request.url!.slice(1) as Provider;
      const token = (provider === 'yandex' ? form.token : form.response) ?? '';
      const fault = FAULTS[token];
      if (fault) return fault(response);
      this.answer(provider, form.secret === SECRET, token, response);
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private answer(
    provider: Provider,
    isOurs: boolean,
    token: string,
    response: ServerResponse,
  ): void {
    const isRight = isOurs && token.startsWith('right');
    if (provider === 'yandex') {
      if (!isOurs) response.statusCode = 403;
      return void response.end(JSON.stringify({ status: isRight ? 'ok' : 'failed' }));
    }
    const score = token.includes('machine') ? 0.1 : 0.9;
    const code = isOurs ? 'invalid-input-response' : 'invalid-input-secret';
    const scored = provider === 'google' && !token.includes('old') ? { score } : {};
    const result = isRight
      ? { success: true, ...scored }
      : { success: false, 'error-codes': [code] };
    response.end(JSON.stringify(result));
  }
}

/** Captchas of other providers, each asked at the address that is configured. */
export function captchaTests(scene: OtpScene): void {
  const peer = new CaptchaPeer();
  const widgets = {} as Record<Provider, string>;
  let base: string;
  let unknown: string;
  let metrics: Metrics;

  beforeAll(async () => {
    const url = await peer.start();
    const keys = (secret: string) =>
      Object.fromEntries(
        PROVIDERS.flatMap((provider) => {
          const name = `OTP_CAPTCHA_${provider.toUpperCase()}`;
          return [
            [`${name}_URL`, `${url}/${provider}`],
            [`${name}_SITE_KEY`, `site ${provider}`],
            [`${name}_SECRET`, secret],
          ];
        }),
      );
    const settings = { ...keys(SECRET), OTP_CAPTCHA_TIMEOUT_SECONDS: 1 };
    const api = await scene.world.startApi(settings);
    ({ base } = api);
    metrics = api.app.get(Metrics);
    ({ base: unknown } = await scene.world.startApi(keys('of another site')));
    for (const captchaProvider of PROVIDERS) {
      const widgetId = await otpWidget(scene.owner);
      widgets[captchaProvider] = widgetId;
      // The first API has no keys, so its settings refuse these providers.
      await scene.sql(
        `update otp_widgets set captcha_is_required = true, captcha_provider = $2 where id = $1`,
        [widgetId, captchaProvider],
      );
    }
  });
  afterAll(() => peer.stop());

  const ask = (provider: Provider, captchaToken?: string, at = base) =>
    scene.visitor(at)(otpHandler.create, {
      body: { widgetId: widgets[provider], recipient: scene.newPhone(), captchaToken },
      headers: from('192.0.2.7'),
    });
  const sessions = async () =>
    (
      await scene.sql(`select id from otp_sessions where widget_id = any($1)`, [
        Object.values(widgets),
      ])
    ).length;

  test.each(PROVIDERS)(
    '%s: a token is checked with our secret, and counts once',
    async (provider) => {
      const { captchaSiteKey } = await scene.visitor(base)(otpHandler.widget, {
        params: { widgetId: widgets[provider] },
      });
      expect(captchaSiteKey).toBe(`site ${provider}`);
      const token = `right ${provider}`;
      await ask(provider, token);
      const address = provider === 'yandex' ? 'ip' : 'remoteip';
      expect(peer.asked.at(-1)).toMatchObject({ secret: SECRET, [address]: '192.0.2.7' });
      for (const again of [token, `wrong ${provider}`, 'x'.repeat(4000), undefined])
        expect(await refusal(ask(provider, again))).toMatchObject({
          type: 'CaptchaNotConfirmedException',
          httpStatus: 403,
        });
    },
  );

  test('a token of Google needs a score, unless its version has none', async () => {
    expect(await errorOf(ask('google', 'right machine'))).toBe('CaptchaNotConfirmedException');
    await ask('google', 'right old');
    await ask('cloudflare', 'right machine');
  });

  test.each(PROVIDERS)('%s: without a usable answer nobody passes', async (provider) => {
    const before = await sessions();
    const faults = Object.keys(FAULTS).map(async (token) => [
      token,
      await refusal(ask(provider, token)),
    ]);
    const refused = [
      ...(await Promise.all(faults)),
      ['', await refusal(ask(provider, 'right', unknown))],
    ];
    for (const [token, answer] of refused)
      expect(answer, token as string).toMatchObject({
        type: 'ServiceUnavailableException',
        httpStatus: 503,
        message: 'The captcha cannot be checked now. Try again later.',
      });
    expect(await sessions()).toBe(before);
    expect(await metrics.registry.metrics()).toContain('otp_refusals_total{reason="provider"}');
  });
}
