import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Config } from '../config.ts';

/** What no page of ours asks a browser for. */
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
/** Where somebody is: of the cabinet's own pages, for the visits of who consents. */
const PERMISSIONS_POLICY = [...DENIED.map((feature) => `${feature}=()`), 'geolocation=(self)'].join(
  ', ',
);

/**
 * What a browser may do with our answers. Helmet's headers with a policy of our own: scripts and connections of this
 * origin alone. TLS is asked for where `PUBLIC_URL` has it.
 */
export function securityHeaders({ publicUrl, HSTS_SECONDS }: Config): RequestHandler[] {
  const isTls = publicUrl.startsWith('https:');
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          scriptSrcAttr: ["'none'"],
          // Components set positions and sizes as they are drawn.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          // Older browsers do not take 'self' for the socket.
          connectSrc: ["'self'", new URL(publicUrl).origin.replace(/^http/, 'ws')],
          objectSrc: ["'none'"],
          frameSrc: ["'none'"],
          frameAncestors: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          ...(isTls && { upgradeInsecureRequests: [] }),
        },
      },
      strictTransportSecurity:
        isTls && HSTS_SECONDS > 0 ? { maxAge: HSTS_SECONDS, includeSubDomains: true } : false,
      xFrameOptions: { action: 'deny' },
      // Addresses of the cabinet hold what nobody needs to pass on, the key of a new password among it.
      referrerPolicy: { policy: 'no-referrer' },
    }),
    (_request: Request, response: Response, next: NextFunction) => {
      response.setHeader('permissions-policy', PERMISSIONS_POLICY);
      next();
    },
  ];
}

/** What pages of other sites may do that call with a token of their own: everything but send and receive cookies. */
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

/** An answer of the API is for who asked, now: no cache keeps it. Downloads say otherwise themselves. */
export function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('cache-control', 'no-store');
  next();
}
