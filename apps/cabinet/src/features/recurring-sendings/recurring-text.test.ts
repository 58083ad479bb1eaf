import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import recurringSendings from '../../locales/en/recurringSendings.json' with { type: 'json' };
import { whenText } from './recurring-text.ts';

const t = await createInstance().init({
  lng: 'en',
  resources: { en: { recurringSendings } },
  interpolation: { escapeValue: false },
});
const RULE = { day: null, time: '09:30', timeZone: 'America/New_York' };
const weekly = (...weekdays: number[]) =>
  whenText(t, 'en', { ...RULE, frequency: 'weekly', weekdays });
const monthly = (day: number) =>
  whenText(t, 'en', { ...RULE, frequency: 'monthly', weekdays: [], day });

test('a rule is a sentence, which stays short with many days', () => {
  expect([weekly(5, 1), weekly(5, 3, 1), weekly(1, 2, 3, 4, 5, 6, 7)]).toEqual([
    'Every Monday and Friday at 09:30 (America/New York)',
    'Every Mon, Wed, and Fri at 09:30 (America/New York)',
    'Every day at 09:30 (America/New York)',
  ]);
  expect([monthly(15), monthly(31)]).toEqual([
    'Monthly on day 15 at 09:30 (America/New York)',
    'Monthly on the last day at 09:30 (America/New York)',
  ]);
});
