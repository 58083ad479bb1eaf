/** A rule that a sender name violates. The cabinet translates it. */
export type SenderNameError = 'required' | 'length' | 'characters';

/**
 * The rules that a new sender name violates; [] if it is valid. sms: 4 to 11 Latin letters, digits and `! ? - _ . ( )`. voice: 6
 * to 15 digits. Other types: any name that is not blank.
 * Source: the specification, section 5. `senderNameErrors('sms', 'my shop')` is ['characters'].
 */
export function senderNameErrors(type: string, name: string): SenderNameError[] {
  if (name.trim() === '') return ['required'];
  const errors: SenderNameError[] = [];
  if (type === 'sms') {
    if (name.length < 4 || name.length > 11) errors.push('length');
    if (!/^[A-Za-z0-9!?\-_.()]*$/.test(name)) errors.push('characters');
  }
  if (type === 'voice') {
    if (name.length < 6 || name.length > 15) errors.push('length');
    if (!/^[0-9]*$/.test(name)) errors.push('characters');
  }
  return errors;
}

const MAX_LINK = 2048;
const PROTOCOL = /^(?:https?:\/\/|viber:|tel:|callto:)[^\s\p{Cc}]+$/iu;

/**
 * Whether the URL of a button is valid: the scheme is http, https, viber, tel or callto, and it has at most 2048 characters. `isValidButtonLink('javascript:alert(1)')` is false.
 */
export function isValidButtonLink(url: string): boolean {
  return url.length <= MAX_LINK && PROTOCOL.test(url);
}
