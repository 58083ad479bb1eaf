/** Domains of one mailbox. */
const MAIL_ALIASES: Record<string, string> = {
  'googlemail.com': 'gmail.com',
  'ya.ru': 'yandex.ru',
  'yandex.by': 'yandex.ru',
  'yandex.com': 'yandex.ru',
  'yandex.kz': 'yandex.ru',
};

/**
 * The mailbox behind an e-mail address: without case and `+tag`, and with what Gmail and Yandex ignore. `mailboxOf('A.b+x@googlemail.com')`
 * is 'ab@gmail.com'.
 */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 1) return address;
  const host = address.slice(at + 1);
  const domain = MAIL_ALIASES[host] ?? host;
  const [local] = address.slice(0, at).split('+', 1) as [string];
  if (domain === 'gmail.com') return `${local.replaceAll('.', '')}@${domain}`;
  // To Yandex a dot and a hyphen are the same character.
  if (domain === 'yandex.ru') return `${local.replaceAll('.', '-')}@${domain}`;
  return `${local}@${domain}`;
}

interface Contacts {
  phone?: string | null;
  email?: string | null;
}

/** Whether two accounts have the same phone or mailbox. */
export function isSamePerson(a: Contacts, b: Contacts): boolean {
  if (a.phone && a.phone === b.phone) return true;
  return !!a.email && !!b.email && mailboxOf(a.email) === mailboxOf(b.email);
}

/** A username as it is shown to other accounts: `maskName('anna.smith')` is 'an•••'. */
export const maskName = (name: string): string =>
  `${[...name].slice(0, name.length > 4 ? 2 : 1).join('')}•••`;
