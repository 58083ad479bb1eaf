import { expect, it } from 'vitest';

import { encrypted, MAX_PLAINTEXT } from './encryption.ts';

/** RFC 8291, section 5 and appendix A. */
const SUBSCRIPTION = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

it('is that of the example in the RFC', () => {
  const text = Buffer.from('When I grow up, I want to be a watermelon');
  const fresh = {
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
  };
  expect(encrypted(text, SUBSCRIPTION, fresh).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS' +
      '6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

it('takes 4096 octets at most, and none twice', () => {
  const text = Buffer.alloc(MAX_PLAINTEXT, 'x');
  const [one, other] = [encrypted(text, SUBSCRIPTION), encrypted(text, SUBSCRIPTION)];
  expect(one).toHaveLength(4_096);
  expect(one.subarray(0, 16)).not.toEqual(other.subarray(0, 16));
  expect(one.subarray(21, 86)).not.toEqual(other.subarray(21, 86));
});

it.each([`B${'A'.repeat(86)}`, 'AyVx', ''])('needs a point of the curve: %j', (p256dh) => {
  expect(() => encrypted(Buffer.from('x'), { ...SUBSCRIPTION, p256dh })).toThrow(
    'Public key is not valid',
  );
});
