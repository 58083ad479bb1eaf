export const MAX_NAME_LENGTH = 60;
/** A name of a person, possibly empty: letters of the Latin and Cyrillic scripts, space, hyphen, apostrophe; composed (NFC). */
export const PERSON_NAME = /^[\p{Script=Latin}\p{Script=Cyrillic}'’ʼ -]*$/u;
