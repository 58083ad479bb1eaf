import { expect, it } from 'vitest';
import type { SendingBody } from '../../estimates/estimates.api.ts';
import { createDefaultTitles } from './default-title.ts';

const body = (text: string, more: object = {}): SendingBody => ({
  type: 'sms',
  payload: { sender: 'MIRTEA', text },
  fallbacks: [],
  recipient: { include: ['+79990000000'], exclude: [] },
  ...more,
});

it('gives a bulk without a title one that it keeps until it is accepted', () => {
  let minute = 0;
  const titles = createDefaultTitles();
  const make = () => `SMS 12:0${minute++}`;
  const first = titles.withTitle(body('Sale'), make);
  expect(first).toEqual({ ...body('Sale'), options: { title: 'SMS 12:00' } });
  expect(titles.withTitle(body('Sale'), make)).toEqual(first);
  expect(titles.withTitle(body('Sale!'), make).options).toEqual({ title: 'SMS 12:01' });
  titles.forget();
  expect(titles.withTitle(body('Sale!'), make).options).toEqual({ title: 'SMS 12:02' });
});

it('leaves the other options alone', () => {
  const given = body('Sale', { options: { tellsWhoClicked: true } });
  expect(createDefaultTitles().withTitle(given, () => 'SMS').options).toEqual({
    tellsWhoClicked: true,
    title: 'SMS',
  });
});

it('leaves the title of the user and single messages alone', () => {
  const titles = createDefaultTitles();
  for (const given of [
    body('Sale', { options: { title: 'Spring' } }),
    body('Hi', { recipient: '+79990000000' }),
  ])
    expect(titles.withTitle(given, () => 'never')).toBe(given);
});
