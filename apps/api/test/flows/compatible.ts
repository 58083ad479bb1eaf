import { tokens } from '@heliograph/contract';
import type { Person, World } from '../world.ts';

/** Name and secret part of a new API token. */
export interface TokenParts {
  id: string;
  token: string;
  prefix: string;
  secret: string;
}

export async function newTokenParts(who: Person, body: object = {}): Promise<TokenParts> {
  const input = { description: 'Old program', ...body };
  const { id, token } = await who.api(tokens.create, { body: input as never });
  const [, prefix, secret] = /^(hg_\w{12})_(.*)$/.exec(token)!;
  return { id, token, prefix: prefix!, secret: secret! };
}

export interface VendorAnswer {
  status: number;
  text: string;
  headers: Headers;
}

/** A call as a program makes it: parameters in the query, or in a form. */
export async function callVendor(
  { base }: Pick<World, 'base'>,
  path: string,
  parameters: Record<string, string>,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<VendorAnswer> {
  const text = new URLSearchParams(parameters).toString();
  const isForm = method === 'POST';
  const response = await fetch(`${base}${path}${isForm || !text ? '' : `?${text}`}`, {
    method,
    headers,
    ...(isForm && { body: new URLSearchParams(parameters) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
