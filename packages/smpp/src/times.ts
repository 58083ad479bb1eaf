/** `YYMMDDhhmmsstnnp`: SMPP 3.4, section 7.1.1. */
const FORMAT = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d)(\d{2})([+\-R])$/;

const two = (value: number) => String(value).padStart(2, '0');

/** `formatTime(new Date('2026-11-26T17:00:00Z'))` is '261126170000000+'. */
export function formatTime(time: Date): string {
  const fields = [
    time.getUTCFullYear() % 100,
    time.getUTCMonth() + 1,
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
    time.getUTCSeconds(),
  ];
  return `${fields.map(two).join('')}${Math.floor(time.getUTCMilliseconds() / 100)}00+`;
}

const MAX_DAYS = 99;

/** A span after the submit: `formatSpan(86_400)` is '000001000000000R'. Months differ in length, hence days alone, 99 at most. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.min(Math.floor(seconds), MAX_DAYS * 86_400));
  const fields = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3_600) % 24,
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  return `0000${fields.map(two).join('')}000R`;
}

/** The time of a field, a span counted from `now`; undefined for one that is empty or no time. */
export function parseTime(text: string, now: Date): Date | undefined {
  const [, ...fields] = FORMAT.exec(text) ?? [];
  if (fields.length === 0) return undefined;
  const sign = fields.pop()!;
  const [years, months, days, hours, minutes, seconds, tenths, quarters] = fields.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (sign === 'R') {
    const due = new Date(now);
    due.setUTCFullYear(due.getUTCFullYear() + years, due.getUTCMonth() + months);
    const rest = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
    return new Date(due.getTime() + rest * 1_000);
  }
  if (quarters > 48) return undefined;
  // Local time that is ahead of UTC by quarters of an hour.
  const offset = quarters * 15 * 60_000 * (sign === '-' ? -1 : 1);
  const local = Date.UTC(2000 + years, months - 1, days, hours, minutes, seconds, tenths * 100);
  // The 31st of February would be a day of March.
  if (!formatTime(new Date(local)).startsWith(text.slice(0, 12))) return undefined;
  return new Date(local - offset);
}
