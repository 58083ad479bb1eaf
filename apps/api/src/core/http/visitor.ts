import type { Request } from 'express';

/** Where a call came from, and with what. */
export interface Visitor {
  ip: string;
  useragent: string;
  cookies?: string;
}

export function visitorOf(request: Request): Visitor {
  return {
    ip: request.ip ?? '',
    useragent: String(request.headers['user-agent'] ?? '').slice(0, 500),
    cookies: request.headers.cookie,
  };
}
