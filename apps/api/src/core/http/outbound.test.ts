import { describe, expect, it } from 'vitest';
import { AddressRefused, Outbound, parseAllowedHosts } from './outbound.ts';

const open = new Outbound('', 'SETTING');
const check = (url: string, outbound = open) =>
  outbound.check(url).then(
    () => 'allowed',
    (error: Error) => (error instanceof AddressRefused ? 'refused' : error),
  );

describe('an address accepted by the API', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.8.9.1:5432/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0/',
    'http://localhost:6379/',
    'http://LOCALHOST/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://192.0.2.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::10.0.0.1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:0a00:0001::]/',
    'http://[2001:0:5ef5:79fd::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://no-such-name.invalid/',
  ])('%s is refused', async (url) => {
    expect(await check(url)).toBe('refused');
  });

  it.each(['http://8.8.8.8/', 'https://[2606:4700::1111]/', 'http://[::ffff:8.8.8.8]/'])(
    '%s is allowed',
    async (url) => {
      expect(await check(url)).toBe('allowed');
    },
  );

  it('says which address was meant and which setting allows it', async () => {
    await expect(open.check('http://localhost/')).rejects.toThrow(
      /^localhost \(.+\) is not a public address: SETTING names/,
    );
  });
});

describe('an allow-list', () => {
  it.each([
    ['10.0.0.0/8', 'http://10.1.2.3/', 'allowed'],
    ['10.0.0.0/8', 'http://11.1.2.3/', 'allowed'],
    ['10.0.0.0/8', 'http://127.0.0.1/', 'refused'],
    ['10.1.2.3', 'http://10.1.2.3/', 'allowed'],
    ['10.1.2.3', 'http://10.1.2.4/', 'refused'],
    ['::1, 127.0.0.0/8', 'http://localhost/', 'allowed'],
    ['fd00::/8', 'http://[fd00::1]/', 'allowed'],
    ['Localhost', 'http://localhost/', 'allowed'],
    ['localhost', 'http://127.0.0.1/', 'refused'],
    ['localhost', 'http://localhost.internal.invalid/', 'refused'],
  ])('%s: %s is %s', async (allowed, url, expected) => {
    expect(await check(url, new Outbound(allowed, 'SETTING'))).toBe(expected);
  });

  it('names the entries that are neither a name nor a network', () => {
    expect(parseAllowedHosts('10.0.0.0/8 carrier.internal,::1').wrong).toEqual([]);
    expect(parseAllowedHosts('10.0.0.0/33, http://carrier, 1.2.3.4.5').wrong).toEqual([
      '10.0.0.0/33',
      'http://carrier',
      '1.2.3.4.5',
    ]);
  });
});
