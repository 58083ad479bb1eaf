import type { RequestHandler, Response } from 'express';
import { basename } from 'node:path';
import type { RequestRates } from './request-rates.ts';
import { staticFiles } from './static-files.ts';

/** Where the providers of captchas have their scripts and frames. */
const CAPTCHAS = [
  'https://www.google.com',
  'https://www.gstatic.com',
  'https://smartcaptcha.cloud.yandex.ru',
  'https://challenges.cloudflare.com',
].join(' ');
/** Of the demo page, as an example for pages that embed the widget: no inline scripts and styles. */
const DEMO_POLICY = [
  "default-src 'none'",
  `script-src 'self' ${CAPTCHAS}`,
  `frame-src ${CAPTCHAS}`,
  "connect-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The built widget of one-time codes, whose script pages of other sites embed, and its demo page. */
export const otpWidget = (folder: string, rates: RequestRates): RequestHandler =>
  staticFiles(folder, {
    rates,
    extensions: ['html'],
    setHeaders: (response: Response, path: string) => {
      if (basename(path) === 'demo.html')
        response.set('content-security-policy', DEMO_POLICY).set('cache-control', 'no-cache');
      if (basename(path) !== 'widget.js') return;
      response.set({
        'cache-control': 'public, max-age=600',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
    },
  });
