import { BUTTON_LIMITS, type SendingType } from '@heliograph/contract';
import { TYPES_WITHOUT_TEXT, mediaRule } from '@heliograph/domain';

/** Which parts a message of a type is put together from. */
export interface TypeParts {
  text: boolean;
  subject: boolean;
  /** The text can be in Markdown. */
  format: boolean;
  image: boolean;
  file: boolean;
  video: boolean;
  /** A call plays a recording. */
  audio: boolean;
  /** One button with a link. */
  button: boolean;
  /** How many buttons with an action. */
  buttons: number;
}

/** Specification, section 3: payload by type. */
export function partsOf(type: SendingType): TypeParts {
  return {
    text: type !== 'hlr',
    subject: type === 'email',
    format: type === 'email',
    image: !!mediaRule(type, 'image'),
    file: !!mediaRule(type, 'file'),
    video: !!mediaRule(type, 'video'),
    audio: !!mediaRule(type, 'audio'),
    button: type === 'viber',
    buttons: BUTTON_LIMITS[type] ?? 0,
  };
}

export const needsText = (type: SendingType): boolean => !TYPES_WITHOUT_TEXT.includes(type);

/** Their text is digits. */
export const carriesCode = (type: SendingType): boolean =>
  type === 'flashcall' || type === 'telegramcode';

/** The most used types; the others follow them. */
const FIRST: SendingType[] = ['sms', 'viber', 'whatsapp', 'vk', 'voice', 'email'];

/** The types of an account in the order they are offered. */
export function inOrder(types: readonly SendingType[]): SendingType[] {
  const rank = (type: SendingType) => FIRST.indexOf(type) + 1 || FIRST.length + 1;
  return types.toSorted((a, b) => rank(a) - rank(b));
}
