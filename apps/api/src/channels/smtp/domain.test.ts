import { createPublicKey, generateKeyPairSync } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { recordsOf } from './domain.ts';
import { SmtpOptions } from './options.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
const options = SmtpOptions.parse({
  url: 'smtp://mx.example',
  domain: 'mail.tea.example',
  dkimSelector: 'one',
  dkimKey: privateKey,
  bounceDomain: 'back.example',
  bounceSecret: 'a-secret-of-bounces',
});
const recordOf = (kind: string) => recordsOf(options).find((record) => record.kind === kind)!;

it('the records of a channel', () => {
  expect(
    recordsOf(options).map(({ kind, type, names, wanted }) => [kind, type, names, wanted]),
  ).toEqual([
    ['spf', 'TXT', ['back.example'], 'v=spf1 a:mx.example -all'],
    ['dkim', 'TXT', ['one._domainkey.mail.tea.example'], `v=DKIM1; k=rsa; p=${key}`],
    ['dmarc', 'TXT', ['_dmarc.mail.tea.example', '_dmarc.tea.example'], 'v=DMARC1; p=quarantine'],
    ['bounces', 'MX', ['back.example'], '10 mail.back.example'],
  ]);
  const least = SmtpOptions.parse({ url: 'smtp://mx.example', domain: 'tea.example' });
  expect(recordsOf(least).map(({ kind, names }) => [kind, names])).toEqual([
    ['spf', ['tea.example']],
    ['dmarc', ['_dmarc.tea.example']],
  ]);
});

describe('what is found', () => {
  it.each([
    ['spf', 'v=spf1 include:_spf.provider.example ~all', true],
    ['spf', 'v=spf1 ip4:203.0.113.7 -all', true],
    ['spf', 'v=spf1 +all', false],
    ['spf', 'v=spf1 all', false],
    ['dkim', `v=DKIM1; k=rsa; p=${key}`, true],
    ['dkim', `k=rsa;p=${key.slice(0, 200)} ${key.slice(200)}`, true],
    ['dkim', `v=DKIM1; p=${key.slice(0, -4)}AAAA`, false],
    ['dkim', 'v=DKIM1; p=', false],
    ['dmarc', 'v=DMARC1; p=none; rua=mailto:a@tea.example', true],
    ['dmarc', 'v=DMARC1;p=reject', true],
    ['dmarc', 'v=DMARC1; rua=mailto:a@tea.example', false],
    ['bounces', '10 mx.back.example', true],
    ['bounces', '0 .', false],
    ['bounces', '0 ', false],
  ])('%s: %s', (kind, found, isRight) => {
    expect(recordOf(kind).isRight(found)).toBe(isRight);
  });
});
