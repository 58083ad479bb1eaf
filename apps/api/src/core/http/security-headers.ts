import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Config } from '../config.ts';

/** Browser features that the cabinet does not use. */
const DENIED = [
  'accelerometer',
  'camera',
  'display-capture',
  'encrypted-media',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
];
/** Geolocation is used by the cabinet's own pages, for the visits of users who consent. */
const PERMISSIONS_POLICY = [...DENIED.map((feature) => `${feature}=()`), 'geolocation=(self)'].join(
  ', ',
);

/** Helmet with a content security policy of the same origin. HSTS is sent if `PUBLIC_URL` is https. */
export function securityHeaders({
  publicUrl,
  filesOrigin,
  HSTS_SECONDS,
  HSTS_SUBDOMAINS,
  WALLET_RECEIVER,
  WALLET_URL,
}: Config): RequestHandler[] {
  const files = filesOrigin ? [filesOrigin] : [];
  // The top-up dialog submits its form to the wallet provider.
  const wallet = WALLET_RECEIVER ? [new URL(WALLET_URL).origin] : [];
  const isTls = publicUrl.startsWith('https:');
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          scriptSrcAttr: ["'none'"],
          // Mantine sets inline styles for positions and sizes.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:', ...files],
          mediaSrc: ["'self'", ...files],
          // In older browsers 'self' does not include ws:.
          connectSrc: ["'self'", new URL(publicUrl).origin.replace(/^http/, 'ws')],
          objectSrc: ["'none'"],
          frameSrc: ["'none'"],
          frameAncestors: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'", ...wallet],
          ...(isTls && { upgradeInsecureRequests: [] }),
        },
      },
      strictTransportSecurity:
        isTls && HSTS_SECONDS > 0
          ? { maxAge: HSTS_SECONDS, includeSubDomains: HSTS_SUBDOMAINS }
          : false,
      xFrameOptions: { action: 'deny' },
      // URLs of the cabinet may contain keys, such as that of a password reset.
      referrerPolicy: { policy: 'no-referrer' },
    }),
    (_request: Request, response: Response, next: NextFunction) => {
      response.setHeader('permissions-policy', PERMISSIONS_POLICY);
      next();
    },
  ];
}

/** CORS for pages of other sites that call the API with a token. Cookies are not allowed. */
export function corsOf(origins: readonly string[]): CorsOptions {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'x-filename',
      'x-request-id',
      'x-test-only',
    ],
    exposedHeaders: [
      'idempotency-replay',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'x-request-id',
    ],
    credentials: false,
    maxAge: 600,
  };
}

/** API responses are not cached. Downloads override it. */
export function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('cache-control', 'no-store');
  next();
}

/** CORS for pages of any site: widgets of one-time codes have no cookies, and no answer depends on the page. */
export function openToPages(request: Request, response: Response, next: NextFunction): void {
  response.set({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'retry-after, x-request-id',
  });
  if (request.method !== 'OPTIONS') return next();
  response.set({
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
  });
  response.status(204).end();
}
