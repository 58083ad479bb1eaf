import { domainToASCII } from 'node:url';

import { normalizeEmail } from '@heliograph/domain';

import type { SmtpOptions } from './options.ts';

export interface Mailbox {
  name: string;
  address: string;
}

/** `Name <address>`. */
const NAMED = /^([^<>]{0,150})<([^<>]{3,254})>$/;

/**
 * From whom a message is. The sender is an address of the channel's domain, one with a name, or a name alone; null if it is an address
 * elsewhere, which neither the signature nor the servers of the domain would answer for.
 */
export function mailboxOf(
  sender: string,
  { domain, mailbox }: Pick<SmtpOptions, 'domain' | 'mailbox'>,
): Mailbox | null {
  const [, name = '', named] = NAMED.exec(sender.trim()) ?? [];
  const written = named ?? (sender.includes('@') ? sender : undefined);
  if (written === undefined) return { name: lineOf(sender), address: `${mailbox}@${domain}` };
  const address = asciiDomainOf(normalizeEmail(written) ?? '');
  const at = address?.slice(address.indexOf('@') + 1);
  const isOurs = at === domain || at?.endsWith(`.${domain}`);
  // A name that is an address would pretend another sender.
  return address && isOurs && !name.includes('@') ? { name: lineOf(name), address } : null;
}

/** The address with its domain as servers know it; null if there is no such domain. */
export function asciiDomainOf(address: string): string | null {
  const at = address.lastIndexOf('@');
  const domain = at > 0 ? domainToASCII(address.slice(at + 1)) : '';
  return domain ? `${address.slice(0, at)}@${domain}` : null;
}

/** A text in one line: what stands in a header ends there. */
export const lineOf = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
