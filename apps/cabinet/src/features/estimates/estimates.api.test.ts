import { expect, it } from 'vitest';
import { estimateQuery, type SendingBody } from './estimates.api.ts';

const phones = Array.from({ length: 50_000 }, (_, i) => `+7916${String(i).padStart(7, '0')}`);
const bodyOf = (include: string[], text = 'Hello'): SendingBody => ({
  type: 'sms',
  recipient: { include, exclude: [] },
  payload: { sender: 'MIRTEA', text },
});
const keyOf = (body: SendingBody | null) => JSON.stringify(estimateQuery(body).queryKey);

it('an estimate of many recipients has a short key, which is that of no other body', () => {
  expect(keyOf(bodyOf(phones)).length).toBeLessThan(80);
  expect(keyOf(bodyOf(phones))).toBe(keyOf(bodyOf([...phones])));
  const others = [
    bodyOf(phones, 'Hello!'),
    bodyOf(phones, 'Hellp'),
    bodyOf(phones.slice(1)),
    bodyOf([phones[1]!, phones[0]!, ...phones.slice(2)]),
    null,
  ];
  expect(new Set([bodyOf(phones), ...others].map(keyOf)).size).toBe(6);
});
