import type { IncomingMessage } from 'node:http';
import { MAX_PAGE_AGE_SECONDS } from '@heliograph/contract';
import type { Socket } from 'socket.io';
import * as z from 'zod';
import { headerToken } from '../auth/session.strategy.ts';
import { currentTime } from '../time.ts';

/** Session tokens have about 250 characters. */
const Token = z.string().max(4096);

/** In ms. */
const PageAge = z
  .number()
  .min(0)
  .max(MAX_PAGE_AGE_SECONDS * 1000);

/** The token of a handshake; empty if it is missing or not a string. */
export function tokenOf({ auth, query, headers }: Socket['handshake']): string {
  const given: unknown = auth.token ?? query.token ?? headers.authorization;
  return headerToken(Token.safeParse(given).data) ?? '';
}

/** When the page began that opens this socket, if it says so. */
export function pageBeganAt({ auth, issued }: Socket['handshake']): number | undefined {
  const age = PageAge.safeParse(auth.pageAge).data;
  // `issued` is by the clock of the machine.
  return age === undefined ? undefined : currentTime() - (Date.now() - issued) - age;
}

/**
 * Whether the connection comes from the cabinet's own page, by the Origin header that browsers set. Clients that are not
 * browsers send no origin and are authenticated by their token alone.
 */
export function isOwnOrigin(
  { headers }: Pick<IncomingMessage, 'headers'>,
  publicUrl: string,
): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const page = URL.parse(origin);
  return page !== null && (page.host === host || page.origin === URL.parse(publicUrl)?.origin);
}
