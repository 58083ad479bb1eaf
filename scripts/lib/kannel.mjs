import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './ports.mjs';

async function until(find) {
  for (;;) {
    const found = await find();
    if (found) return found;
    await sleep(50);
  }
}

/**
 * Kannel's bearerbox and smsbox, unmodified, as the client of an SMSC. `calls` are the queries of the calls that it makes: receipts (`dlr`),
 * and messages of people (`from`, `to`, `text`).
 */
export async function startKannel(peers, { port, systemId, password }) {
  const undo = [];
  const stop = async () => {
    for (const clean of undo.splice(0).reverse()) await clean();
  };
  const run = (command, args) => {
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', ...peers.env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    undo.push(() => (child.kill('SIGKILL'), exited));
  };
  const calls = [];
  const hook = createServer((request, response) => {
    calls.push(new URL(request.url, 'http://hook').searchParams);
    response.end('');
  });
  await new Promise((resolve) => hook.listen(0, '127.0.0.1', resolve));
  undo.push(() => (hook.closeAllConnections(), hook.close()));
  const hookUrl = `http://127.0.0.1:${hook.address().port}`;
  const [admin, boxes, sendsms] = [await freePort(), await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), 'kannel-'));
  undo.push(() => rmSync(folder, { recursive: true }));
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
port = ${port}
transceiver-mode = true
smsc-username = ${systemId}
smsc-password = ${password}
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
  const answers = async (url, words) => {
    const response = await fetch(url).catch(() => undefined);
    return response && words.test(await response.text());
  };
  await until(() => answers(status, /heliograph.*\(online/s));
  run(peers.smsbox, ['-v', '4', file]);
  await until(() => answers(status, /smsbox:/));
  return {
    calls,
    stop,
    /** Resolves with the status of the answer: 202 for what it took. */
    async send({ from = 'Helio', to = '+79161234567', text, coding = 0 }) {
      const query = new URLSearchParams({
        username: 'tester',
        password: 'foobar',
        from,
        to,
        text,
        charset: 'UTF-8',
        coding: String(coding),
        'dlr-mask': '3',
        'dlr-url': `${hookUrl}/dlr?dlr=%d`,
      });
      const url = `http://127.0.0.1:${sendsms}/cgi-bin/sendsms?${query}`;
      return (await until(() => fetch(url).catch(() => undefined))).status;
    },
  };
}
