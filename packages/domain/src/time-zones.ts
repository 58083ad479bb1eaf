/** The longest name in the IANA database has 32 characters. */
export const MAX_TIME_ZONE_LENGTH = 64;
/** Offsets such as +03:00 are no names: they follow no clock changes, and not every browser knows them. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** Whether the text names a time zone of the IANA database: `isTimeZone('Europe/Moscow')` is true. */
export function isTimeZone(text: string): boolean {
  if (text.length > MAX_TIME_ZONE_LENGTH || !NAME.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
