export const MAX_NAME_LENGTH = 60;
/** Name of a person, possibly empty: Latin and Cyrillic letters, spaces, hyphens and apostrophes. Expects NFC. */
export const PERSON_NAME = /^[\p{Script=Latin}\p{Script=Cyrillic}'’ʼ -]*$/u;
