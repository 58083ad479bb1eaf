import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  Link,
  Reassembly,
  TEXT_OPTIONS,
  type TextOptions,
  type WholeMessage,
  contentOf,
  partsOf,
  receiptOf,
  senderOf,
  textOf,
} from '@heliograph/smpp';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../../../../scripts/lib/ports.mjs';
import { type SmppPeers, smppPeers } from '../../../../scripts/lib/smpp-peers.mjs';
import { Smsc, type Submitted } from './smsc.ts';

const account = { systemId: 'helio', password: 'secret' };
/** What data_coding 0 and UCS-2 must not change. */
const GSM = 'Hello @£$_{}[]~^|€àéñü';
const LONG = `${'0123456789'.repeat(20)}€`;
const CYRILLIC = 'Съешь ещё этих мягких французских булок, да выпей же чаю. Ёлки 😀 в лесу';

let peers: SmppPeers;
beforeAll(async () => {
  peers = await smppPeers();
}, 600_000);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

function run(command: string, args: string[]): ChildProcess {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', ...peers.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  cleanups.push(() => (child.kill('SIGKILL'), exited));
  return child;
}

async function until<T>(find: () => T | undefined | false | Promise<T | undefined | false>) {
  for (;;) {
    const found = await find();
    if (found) return found;
    await sleep(50);
  }
}

/** The texts that came, with parts joined in the order of their parts. */
function textsOf(log: Submitted[]): string[] {
  const joined = Map.groupBy(log, ({ id, part }) => (part ? `ref ${part.reference}` : `id ${id}`));
  return [...joined.values()].map((parts) =>
    parts
      .sort((a, b) => (a.part?.index ?? 0) - (b.part?.index ?? 0))
      .map(({ text }) => text)
      .join(''),
  );
}

describe('Kannel as a client of our SMSC', () => {
  interface Kannel {
    send(text: string, coding?: number): Promise<void>;
    /** Queries of the calls that Kannel made: receipts and messages. */
    calls: URLSearchParams[];
  }

  async function kannel(smscPort: number): Promise<Kannel> {
    const calls: URLSearchParams[] = [];
    const hook = createServer((request, response) => {
      calls.push(new URL(request.url!, 'http://hook').searchParams);
      response.end('');
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => (hook.closeAllConnections(), hook.close()));
    const hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
    const admin = await freePort();
    const boxes = await freePort();
    const sendsms = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'kannel-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'kannel.conf');
    writeFileSync(
      file,
      `group = core
admin-port = ${admin}
admin-interface = 127.0.0.1
admin-password = bar
smsbox-port = ${boxes}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1
log-file = ${folder}/bearerbox.log
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = heliograph
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = ${account.systemId}
smsc-password = ${account.password}
system-type = ""
interface-version = 34
source-addr-ton = 5
source-addr-npi = 0
dest-addr-ton = 1
dest-addr-npi = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendsms}
sendsms-interface = 127.0.0.1
mo-recode = true
log-file = ${folder}/smsbox.log

group = sendsms-user
username = tester
password = foobar
concatenation = true
max-messages = 10

group = sms-service
keyword = default
catch-all = true
get-url = "${hookUrl}/mo?from=%p&to=%P&text=%b"
max-messages = 0
`,
    );
    run(peers.bearerbox, ['-v', '4', file]);
    const status = `http://127.0.0.1:${admin}/status.txt?password=bar`;
    const answers = async (url: string, words: RegExp) => {
      const response = await fetch(url).catch(() => undefined);
      return response && words.test(await response.text());
    };
    await until(() => answers(status, /heliograph.*\(online/s));
    run(peers.smsbox, ['-v', '4', file]);
    await until(() => answers(status, /smsbox:/));
    return {
      calls,
      async send(text, coding = 0) {
        const query = new URLSearchParams({
          username: 'tester',
          password: 'foobar',
          from: 'Helio',
          to: '+79161234567',
          text,
          charset: 'UTF-8',
          coding: String(coding),
          'dlr-mask': '3',
          'dlr-url': `${hookUrl}/dlr?dlr=%d`,
        });
        const url = `http://127.0.0.1:${sendsms}/cgi-bin/sendsms?${query}`;
        const response = await until(() => fetch(url).catch(() => undefined));
        expect(response.status).toBe(202);
      },
    };
  }

  it.each(['standard', 'parameters-and-text'] as const)(
    'its messages arrive, its receipts in the format %s and messages of people return',
    async (receipts) => {
      const profile = { sentDelay: [0, 0], deliveredDelay: [0, 0], failed: 0, temporary: 0 };
      const smsc = new Smsc({
        ...account,
        receipts,
        profile: { ...profile, replies: 0 } as never,
      });
      cleanups.push(() => smsc.close());
      const client = await kannel(await smsc.listen(0, '127.0.0.1'));
      await client.send(GSM);
      await client.send(LONG);
      await client.send(CYRILLIC, 2);
      const delivered = () => client.calls.filter((call) => call.get('dlr') === '1');
      await until(() => delivered().length >= 3);
      expect(textsOf(smsc.log).sort()).toEqual([GSM, LONG, CYRILLIC].sort());
      expect(new Set(smsc.log.map(({ source }) => source))).toEqual(new Set(['Helio']));
      expect(client.calls.filter((call) => call.get('dlr') === '2')).toEqual([]);

      smsc.receive('+79161234567', '4440', 'Привет');
      smsc.receive('+79161234567', '4440', GSM);
      const messages = () => client.calls.filter((call) => call.has('from'));
      await until(() => messages().length >= 2);
      expect(
        messages()
          .map((call) => call.get('text'))
          .sort(),
      ).toEqual([GSM, 'Привет'].sort());
      await until(() => smsc.mailbox.size === 0);
      expect(smsc.mailbox.refused).toBe(0);
    },
    120_000,
  );
});

describe('our client at an SMSC of Net::SMPP', () => {
  it.each<TextOptions['long']>(['udh8', 'udh16', 'sar'])(
    'submits, is told of deliveries and gets messages, with parts joined by %s',
    async (long) => {
      const smsc = run(peers.perl, ['-I', peers.perlLib, join(import.meta.dirname, 'net-smpp.pl')]);
      const lines: string[] = [];
      createInterface(smsc.stdout!).on('line', (line) => lines.push(line));
      const [port] = await until(() => /^port (\d+)/.exec(lines[0] ?? '')?.slice(1));
      const receipts: (string | undefined)[] = [];
      const messages: WholeMessage[] = [];
      const reassembly = new Reassembly({
        deliver: async (message) => void messages.push(message),
      });
      const link = new Link({
        mode: 'transceiver',
        bind: account,
        window: 10,
        connect: async () => connect(Number(port), '127.0.0.1'),
        async deliver(pdu) {
          const receipt = receiptOf(pdu, { alphabet: 'gsm', utcOffset: 0 }, new Date());
          if (receipt) return void receipts.push(`${receipt.messageId} ${receipt.state}`);
          const content = contentOf(pdu, 'gsm');
          const from = senderOf({ ton: pdu.sourceAddrTon, address: pdu.sourceAddr });
          const { concatenation } = content;
          const about = { from, to: pdu.destinationAddr };
          if (concatenation)
            await reassembly.add({ ...about, content: { ...content, concatenation } });
          else messages.push({ ...about, text: textOf(content) });
        },
      });
      cleanups.push(() => link.close());
      await link.ready(new AbortController().signal);
      const texts = [GSM, LONG, CYRILLIC];
      const ids: string[] = [];
      for (const [i, text] of texts.entries()) {
        const parts = partsOf(text, { ...TEXT_OPTIONS, long }, i).map((part) => ({
          ...part,
          sourceAddrTon: 5,
          sourceAddr: 'Helio',
          destAddrTon: 1,
          destAddrNpi: 1,
          destinationAddr: '79161234567',
          registeredDelivery: 1,
        }));
        for (const result of await link.submit(parts)) {
          ids.push(result.outcome === 'accepted' ? result.messageId : result.outcome);
        }
      }
      expect(ids.slice(0, 2)).toEqual(['FF', '100']);
      await until(() => receipts.length === ids.length);
      expect(receipts).toEqual(ids.map((id) => `${id} delivered`));
      // That SMSC sends no parameters back, so parts that are told by them stay parts.
      const whole = long === 'sar' ? texts.flatMap(partTexts) : texts;
      await until(() => messages.length === whole.length);
      expect(messages.map(({ text }) => text)).toEqual(whole);
      expect(messages[0]).toMatchObject({ from: '+79161234567', to: 'Helio' });
      await link.close();
      expect(lines.filter((line) => !/^deliver_sm_resp 0 00$/.test(line)).map(commandOf)).toEqual([
        'port',
        'bind_transceiver',
        ...ids.map(() => 'submit_sm'),
        'unbind',
      ]);
    },
    120_000,
  );
});

const commandOf = (line: string) => line.split(' ', 1)[0];
const partTexts = (text: string) =>
  partsOf(text, { ...TEXT_OPTIONS, long: 'sar' }, 0).map(({ shortMessage, dataCoding, ...rest }) =>
    textOf(contentOf({ command: 'deliver_sm', ...rest, shortMessage, dataCoding } as never, 'gsm')),
  );
