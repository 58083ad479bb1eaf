import type { IncomingMessage } from 'node:http';
import type { Socket } from 'socket.io';
import * as z from 'zod';
import { headerToken } from '../auth/authenticator.ts';

/** A session token has some 250 characters. */
const Token = z.string().max(4096);

/** The token of a handshake; empty when there is none, or what came is not a text. */
export function tokenOf({ auth, query, headers }: Socket['handshake']): string {
  const given: unknown = auth.token ?? query.token ?? headers.authorization;
  return headerToken(Token.safeParse(given).data) ?? '';
}

/**
 * Whether the page that opens a connection is the cabinet's own. Browsers name the page's origin and do not let it lie;
 * programs send none, and are held by their token alone.
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
