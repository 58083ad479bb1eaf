import { createHmac, timingSafeEqual } from 'node:crypto';

import type { SmtpOptions } from './options.ts';

const ID_BYTES = 16;
const MAC_BYTES = 10;
const PREFIX = 'bounce-';
/** Servers fold the case of what stands before the `@`. */
const TOKEN = /(?<![0-9a-f])[0-9a-f]{52}(?=@)/gi;
/** Tokens that are looked at in one text: each costs a signature. */
const MAX_TOKENS = 20;

/** The message as the part of an address before the `@`: its id and a signature, so that nobody reports on messages of others. */
export const tokenOf = (reference: string, secret: string): string => {
  const id = Buffer.from(reference.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, macOf(id, secret)]).toString('hex');
};

/** The address to which bounces of one message return (VERP); that of the sender if bounces come in by no other way. */
export function returnPathOf(
  { bounceDomain, bounceSecret }: SmtpOptions,
  reference: string,
  from: string,
): string {
  if (!bounceDomain || !bounceSecret) return from;
  return `${PREFIX}${tokenOf(reference, bounceSecret)}@${bounceDomain}`;
}

/** The reference of the first genuine token in a text: a return path, or the id of a message. */
export function referenceIn(text: string, secret: string): string | undefined {
  let looked = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (++looked > MAX_TOKENS) return undefined;
    const bytes = Buffer.from(token, 'hex');
    const id = bytes.subarray(0, ID_BYTES);
    if (timingSafeEqual(macOf(id, secret), bytes.subarray(ID_BYTES))) return uuidOf(id);
  }
  return undefined;
}

const macOf = (id: Buffer, secret: string): Buffer =>
  createHmac('sha256', secret).update('return path').update(id).digest().subarray(0, MAC_BYTES);

const uuidOf = (id: Buffer): string =>
  id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
