/** What the comment of a sender name lacks: a company, a tax number, or the check digits of an INN. */
export type CommentError = 'company' | 'tax_id' | 'inn';

/** The weights of the check digit of a company, and of the two of a person. Source: how the tax service forms an INN. */
const LEGAL = [2, 4, 10, 3, 5, 9, 4, 6, 8];
const PERSON = [
  [7, ...LEGAL],
  [3, 7, ...LEGAL],
];

/** Is it a Russian tax number: 10 digits of a company or 12 of a person, with right check digits? `isValidInn('7700000009')` */
export function isValidInn(text: string): boolean {
  const digits = /^(?!00)(?:\d{10}|\d{12})$/.test(text) ? [...text].map(Number) : [];
  const isRight = (weights: number[]) =>
    (weights.reduce((sum, weight, i) => sum + weight * digits[i]!, 0) % 11) % 10 ===
    digits[weights.length];
  return digits.length > 0 && (digits.length === 10 ? [LEGAL] : PERSON).every(isRight);
}

/** Two letters of a country in front say that a number is no INN; a plus, that it is a phone. */
const NUMBER = /((?<!\p{L})[A-Z]{2})?(?<![+\d])(\d{8,15})(?!\d)/gu;
/** Written in groups: `12-3456789`, `12.345.678/0001-95`. */
const GROUPS = /(?<![+\d])\d(?:[ ./-]?\d){7,14}(?!\d)/g;
const WORDS = /(?<!\p{L})(?:инн|inn|кпп|огрн|огрнип|tax id|vat|ein|nip|tin)(?!\p{L})/giu;

/**
 * The rules that a comment of a sender name breaks, [] when none: it names a company (two letters at least) and its tax number,
 * an INN with right check digits or, of other countries, 8 to 15 digits. A bare number of 10 or 12 digits, or one that is called
 * an INN, is an INN; letters of a country in front make it another (`PL5252344078`). Source: the specification, section 5.
 * `senderCommentErrors('Tea House LLC, INN 7700000001')` is ['inn'].
 */
export function senderCommentErrors(comment: string): CommentError[] {
  const errors: CommentError[] = [];
  const found = [...comment.matchAll(NUMBER)].map(([whole, country, digits]) => ({
    whole,
    digits: digits!,
    isForeign: !!country,
  }));
  const numbers = found.length
    ? found
    : (comment.match(GROUPS) ?? []).map((whole) => ({
        whole,
        digits: whole.replace(/\D/g, ''),
        isForeign: false,
      }));
  const names = numbers.reduce((text, { whole }) => text.replace(whole, ' '), comment);
  if (!/\p{L}{2}/u.test(names.replace(WORDS, ' '))) errors.push('company');
  if (numbers.some(({ digits, isForeign }) => isForeign || isValidInn(digits))) return errors;
  const isCalledInn = /(?<!\p{L})(?:инн|inn)(?!\p{L})/iu.test(comment);
  const isLikeInn = numbers.some(({ digits }) => digits.length === 10 || digits.length === 12);
  if (isCalledInn || isLikeInn) errors.push('inn');
  else if (!numbers.length) errors.push('tax_id');
  return errors;
}

export interface SenderComment {
  company: string;
  taxId: string;
  /** What else the moderator is told. */
  more: string;
}

/** The comment that the fields of a form make: `ООО «Чайный дом», ИНН 7700000009. По договору 12`. */
export function composeComment({ company, taxId, more }: SenderComment): string {
  const number = taxId.replace(/\s/g, '');
  const [inn, other] = /\p{Script=Cyrillic}/u.test(company)
    ? ['ИНН', 'налоговый номер']
    : ['INN', 'tax id'];
  const known = `${company.trim()}, ${isValidInn(number) ? inn : other} ${number}`;
  return more.trim() ? `${known}. ${more.trim()}` : known;
}

const COMPOSED = /^([^\n]+), (?:ИНН|INN|налоговый номер|tax id) ([^\n.,;]+)(?:[.,;] ([^]*))?$/u;

/** The fields of a comment; one that was written otherwise is told as it is. */
export function parseComment(comment: string): SenderComment {
  const [, company, taxId, more = ''] = COMPOSED.exec(comment) ?? [];
  return company && taxId ? { company, taxId, more } : { company: '', taxId: '', more: comment };
}
