import { expect, test } from 'vitest';
import { hasShortLinks } from './click-links.ts';
import { emptyValues, NO_PAYLOAD, type SendValues } from './send-values.ts';

const BASE = 'https://tea.example/s';
const LINK = `${BASE}/Tr33sAb`;

const valuesOf = (text: string, second: string, isOn = true): SendValues => {
  const values = emptyValues('sms');
  return {
    ...values,
    payload: { ...NO_PAYLOAD, text },
    variants: { ...values.variants, isOn, text: second },
  };
};

test.each([
  ['in the text', true, valuesOf(`Tea: ${LINK}`, 'Tea', false)],
  ['in the second text alone', true, valuesOf('Tea', `Tea: ${LINK}`)],
  ['in a second text that is switched off', false, valuesOf('Tea', `Tea: ${LINK}`, false)],
  ['of others', false, valuesOf('Tea', 'Tea: https://others.example/s/Tr33sAb')],
])('short links %s: %s', (_, has, values) => {
  expect(hasShortLinks(BASE, values)).toBe(has);
});
