import { expect, test } from 'vitest';
import { isTimeZone } from './time-zones.ts';

test.each([
  'Europe/Moscow',
  'America/Argentina/Buenos_Aires',
  'UTC',
  'Etc/GMT-14',
  'Asia/Calcutta',
])('accepts %s', (zone) => expect(isTimeZone(zone)).toBe(true));

test.each([
  '',
  '+03:00',
  'Mars/Phobos',
  ' UTC',
  'Europe/Moscow\n',
  '../../etc/passwd',
  'A'.repeat(65),
])('refuses %j', (zone) => expect(isTimeZone(zone)).toBe(false));
