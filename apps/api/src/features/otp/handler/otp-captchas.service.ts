import { Injectable } from '@nestjs/common';
import type { CaptchaChallenge, OTP_CAPTCHAS } from '@heliograph/contract';
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Config } from '../../../core/config.ts';
import { AppError } from '../../../core/errors.ts';
import { fetchService, unavailable } from '../../../core/http/service-client.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { CaptchaService } from '../../captcha/captcha.service.ts';
import { otpError } from './otp-errors.ts';
import { OtpCounters } from './otp-counters.ts';

type Provider = (typeof OTP_CAPTCHAS)[number];
type Outside = Exclude<Provider, 'altcha'>;

interface Keys {
  siteKey?: string;
  secret?: string;
}

const MAX_ANSWER_BYTES = 16_384;
/** Solutions of a challenge, and tokens of providers, are valid for less. */
const USED_SECONDS = 3600;

const ProviderAnswer = z.object({
  success: z.boolean().optional(),
  status: z.string().optional(),
  score: z.number().optional(),
  'error-codes': z.array(z.string()).optional(),
});
/** Of Google and Cloudflare: our secret is wrong, which the visitor cannot mend. */
const OURS = /^(missing|invalid)-input-secret$/;

/** Checks captchas of widgets: our own proof of work, or the token of a provider. Each answer counts once. */
@Injectable()
export class OtpCaptchas {
  constructor(
    private readonly config: Config,
    private readonly altcha: CaptchaService,
    private readonly counters: OtpCounters,
    private readonly metrics: Metrics,
  ) {}

  isAvailable(provider: Provider): boolean {
    if (provider === 'altcha') return true;
    const { siteKey, secret } = this.keysOf(provider);
    return siteKey !== undefined && secret !== undefined;
  }

  /** For the script of the provider; null for the proof of work. */
  siteKey(provider: Provider): string | null {
    return provider === 'altcha' ? null : (this.keysOf(provider).siteKey ?? null);
  }

  challenge(): Promise<CaptchaChallenge> {
    return this.altcha.challenge();
  }

  /** Throws `CaptchaNotConfirmed`, or `unavailable` when the provider does not say whether the answer is right. */
  async require(provider: Provider, answer: string | undefined, ip: string): Promise<void> {
    const proof = answer === undefined ? null : await this.proofOf(provider, answer, ip);
    const isNew =
      proof !== null &&
      (await this.counters.isFirst({ kind: 'captcha', key: proof, seconds: USED_SECONDS }));
    if (isNew) return;
    this.metrics.otpRefused('captcha');
    throw otpError('CaptchaNotConfirmed');
  }

  /** What can be used once; null if the answer is wrong. */
  private async proofOf(provider: Provider, answer: string, ip: string): Promise<string | null> {
    if (provider === 'altcha') return this.altcha.verify(answer);
    const { secret } = this.keysOf(provider);
    if (secret === undefined) return null;
    const isRight = await this.ask(provider, { secret, answer, ip }).catch(({ cause }: Error) => {
      this.metrics.otpRefused('provider');
      throw new AppError('unavailable', 'The captcha cannot be checked now. Try again later.', {
        cause: `${provider}: ${cause}`,
      });
    });
    return isRight ? createHash('sha256').update(answer).digest('hex') : null;
  }

  private async ask(
    provider: Outside,
    { secret, answer, ip }: { secret: string; answer: string; ip: string },
  ): Promise<boolean> {
    const form: Record<string, string> =
      provider === 'yandex'
        ? { secret, token: answer, ip }
        : { secret, response: answer, remoteip: ip };
    const { status: httpStatus, bytes } = await fetchService(this.urlOf(provider), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      timeoutMs: this.config.OTP_CAPTCHA_TIMEOUT_SECONDS * 1000,
      maxBytes: MAX_ANSWER_BYTES,
    });
    const result = readAnswer(bytes);
    // A wrong token may be refused with 400; Yandex refuses a wrong secret with 403.
    const isAnswer = httpStatus === 200 || (httpStatus < 500 && result?.success === false);
    if (!result || !isAnswer) throw unavailable(`status ${httpStatus} without a result`);
    if (provider === 'yandex') return result.status === 'ok';
    const ours = result['error-codes']?.find((code) => OURS.test(code));
    if (ours) throw unavailable(ours);
    if (result.success !== true) return false;
    // The second version of reCAPTCHA answers without a score.
    const isBelow =
      result.score !== undefined && result.score < this.config.OTP_CAPTCHA_GOOGLE_MIN_SCORE;
    return provider !== 'google' || !isBelow;
  }

  private urlOf(provider: Outside): string {
    const { config } = this;
    return {
      google: config.OTP_CAPTCHA_GOOGLE_URL,
      yandex: config.OTP_CAPTCHA_YANDEX_URL,
      cloudflare: config.OTP_CAPTCHA_CLOUDFLARE_URL,
    }[provider];
  }

  private keysOf(provider: Outside): Keys {
    const { config } = this;
    return {
      google: {
        siteKey: config.OTP_CAPTCHA_GOOGLE_SITE_KEY,
        secret: config.OTP_CAPTCHA_GOOGLE_SECRET,
      },
      yandex: {
        siteKey: config.OTP_CAPTCHA_YANDEX_SITE_KEY,
        secret: config.OTP_CAPTCHA_YANDEX_SECRET,
      },
      cloudflare: {
        siteKey: config.OTP_CAPTCHA_CLOUDFLARE_SITE_KEY,
        secret: config.OTP_CAPTCHA_CLOUDFLARE_SECRET,
      },
    }[provider];
  }
}

function readAnswer(bytes: Buffer): z.infer<typeof ProviderAnswer> | null {
  try {
    return ProviderAnswer.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
