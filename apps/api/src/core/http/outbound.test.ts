import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { CERTIFICATE, PRIVATE_KEY } from '../../../test/peers/certificate.ts';
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
    ['LOCALHOST.', 'http://localhost/', 'allowed'],
    ['localhost', 'http://127.0.0.1/', 'refused'],
    ['localhost', 'http://localhost.internal.invalid/', 'refused'],
  ])('%s: %s is %s', async (allowed, url, expected) => {
    expect(await check(url, new Outbound(allowed, 'SETTING'))).toBe(expected);
  });

  it('names the entries that are neither a name nor a network', () => {
    expect(parseAllowedHosts('10.0.0.0/8 carrier.internal,::1').wrong).toEqual([]);
    const refused = ['10.0.0.0/33', 'http://carrier', '1.2.3.4.5', 'carrier/33', 'a..b'];
    expect(parseAllowedHosts(refused.join(', ')).wrong).toEqual(refused);
  });

  it('names hosts as they are looked up', () => {
    expect([
      ...parseAllowedHosts('Чай.РФ, carrier_1.Internal., xn--80as4b.xn--p1ai').names,
    ]).toEqual(['xn--80as4b.xn--p1ai', 'carrier_1.internal']);
  });
});

describe('a connection', () => {
  const own = new Outbound('127.0.0.0/8, ::1', 'SETTING');
  const signal = new AbortController().signal;
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** The port of a server, and how many have connected. */
  async function listen(server: Server) {
    servers.push(server);
    const seen = { connections: 0 };
    server.on('connection', () => seen.connections++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { port: (server.address() as AddressInfo).port, seen };
  }

  const greet = (socket: Socket) => socket.end('hello');
  const plain = () => listen(createServer(greet));
  const encrypted = () => listen(createTlsServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, greet));
  /** What the server says, or the error. */
  const heard = (...[host, port, options]: Parameters<Outbound['connect']>) =>
    own.connect(host, port, options).then(text, (error: Error) => error);

  it.each(['127.0.0.1', 'localhost'])('to an allowed address, %s, is open', async (host) => {
    const { port } = await plain();
    expect(await heard(host, port, { signal })).toBe('hello');
  });

  it.each(['127.0.0.1', 'localhost', '2130706433', '::ffff:127.0.0.1'])(
    'to %s, which nobody allowed, is refused before it is made',
    async (host) => {
      const { port, seen } = await plain();
      await expect(open.connect(host, port, { signal })).rejects.toThrow(AddressRefused);
      await expect(open.connect(host, port, { tls: {}, signal })).rejects.toThrow(AddressRefused);
      // Those before would have been counted with this one.
      expect(await heard('127.0.0.1', port, { signal })).toBe('hello');
      expect(seen.connections).toBe(1);
    },
  );

  it('with TLS is open to the certificate that was asked for alone', async () => {
    const { port } = await encrypted();
    const tls = { ca: CERTIFICATE, serverName: 'smsc.example' };
    expect(await heard('127.0.0.1', port, { tls, signal })).toBe('hello');
    expect(
      await heard('127.0.0.1', port, { tls: { ...tls, ca: undefined }, signal }),
    ).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    for (const serverName of ['smsc.invalid', undefined])
      expect(
        await heard('localhost', port, { tls: { ca: CERTIFICATE, serverName }, signal }),
      ).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('with TLS to a peer that has none is no connection', async () => {
    const { port } = await plain();
    expect(await heard('127.0.0.1', port, { tls: {}, signal })).toBeInstanceOf(Error);
  });

  it('ends with its signal, whatever the peer does', async () => {
    const { port } = await listen(createServer(() => {}));
    const stop = new AbortController();
    const attempt = heard('127.0.0.1', port, { tls: {}, signal: stop.signal });
    stop.abort(new Error('enough'));
    expect(await attempt).toMatchObject({ message: 'enough' });
    expect(await heard('127.0.0.1', port, { signal: stop.signal })).toMatchObject({
      message: 'enough',
    });
  });

  it('that nobody takes fails with the code of the system', async () => {
    const { port } = await plain();
    await new Promise((resolve) => servers.pop()!.close(resolve));
    expect(await heard('127.0.0.1', port, { signal })).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
