/** Errors in the comment of a sender name: no company, no tax id, or wrong check digits of an INN. */
export type CommentError = 'company' | 'tax_id' | 'inn';

/** Weights of the check digit of companies and of the two check digits of persons. Source: the INN format of the Russian tax service. */
const LEGAL = [2, 4, 10, 3, 5, 9, 4, 6, 8];
const PERSON = [
  [7, ...LEGAL],
  [3, 7, ...LEGAL],
];

/** Whether a text is a Russian tax id (INN): 10 digits for companies, 12 for persons, with valid check digits. `isValidInn('7700000009')` is true. */
export function isValidInn(text: string): boolean {
  const digits = /^(?!00)(?:\d{10}|\d{12})$/.test(text) ? [...text].map(Number) : [];
  const isRight = (weights: number[]) =>
    (weights.reduce((sum, weight, i) => sum + weight * digits[i]!, 0) % 11) % 10 ===
    digits[weights.length];
  return digits.length > 0 && (digits.length === 10 ? [LEGAL] : PERSON).every(isRight);
}

/** A tax id. Two letters of a country before it mean that it is not an INN; a plus before it means a phone number. */
const NUMBER = /((?<!\p{L})[A-Z]{2})?(?<![+\d])(\d{8,15})(?!\d)/gu;
/** A tax id with separators: `12-3456789`, `12.345.678/0001-95`. */
const GROUPS = /(?<![+\d])\d(?:[ ./-]?\d){7,14}(?!\d)/g;
const WORDS = /(?<!\p{L})(?:инн|inn|кпп|огрн|огрнип|tax id|vat|ein|nip|tin)(?!\p{L})/giu;

/**
 * The rules that the comment of a sender name violates; [] if it is valid. It must contain a company (at least two letters) and its
 * tax id: an INN with valid check digits or, for other countries, 8 to 15 digits. Numbers of 10 or 12 digits, and numbers labelled
 * INN, are treated as INN unless they have the letters of a country before them (`PL5252344078`). Source: the specification,
 * section 5.
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
  const isLabelledInn = /(?<!\p{L})(?:инн|inn)(?!\p{L})/iu.test(comment);
  const isLikeInn = numbers.some(({ digits }) => digits.length === 10 || digits.length === 12);
  if (isLabelledInn || isLikeInn) errors.push('inn');
  else if (!numbers.length) errors.push('tax_id');
  return errors;
}

export interface SenderComment {
  company: string;
  taxId: string;
  /** Additional text for the moderator. */
  more: string;
}

/** Composes a comment from the fields of a form: `ООО «Чайный дом», ИНН 7700000009. По договору 12`. */
export function composeComment({ company, taxId, more }: SenderComment): string {
  const number = taxId.replace(/\s/g, '');
  const [inn, other] = /\p{Script=Cyrillic}/u.test(company)
    ? ['ИНН', 'налоговый номер']
    : ['INN', 'tax id'];
  const known = `${company.trim()}, ${isValidInn(number) ? inn : other} ${number}`;
  return more.trim() ? `${known}. ${more.trim()}` : known;
}

const COMPOSED = /^([^\n]+), (?:ИНН|INN|налоговый номер|tax id) ([^\n.,;]+)(?:[.,;] ([^]*))?$/u;

/** Parses a comment into the fields of a form. A comment in another format is returned as `more`. */
export function parseComment(comment: string): SenderComment {
  const [, company, taxId, more = ''] = COMPOSED.exec(comment) ?? [];
  return company && taxId ? { company, taxId, more } : { company: '', taxId: '', more: comment };
}
