import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { smppPeers } from '../scripts/lib/smpp-peers.mjs';
import { cpuSeconds } from './proc.ts';
import { freePort, root } from './product.ts';

const READY_MS = 30_000;

/** Debian's Kannel: bearerbox with a file store, bound to a carrier over SMPP, and smsbox, whose `sendsms` its customers call. */
export class Kannel {
  private readonly processes: ChildProcess[] = [];
  private readonly folder: string;
  readonly port: number;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** On the disk that the product's database is on. */
  static async start(carrierPort: number, window: number): Promise<Kannel> {
    const peers = await smppPeers();
    const parent = join(root, '.data/bench');
    mkdirSync(parent, { recursive: true });
    const kannel = new Kannel(mkdtempSync(join(parent, 'kannel-')), await freePort());
    try {
      const [admin, boxes] = [await freePort(), await freePort()];
      const file = join(kannel.folder, 'kannel.conf');
      writeFileSync(file, kannel.config({ admin, boxes, carrierPort, window }));
      const status = `http://127.0.0.1:${admin}/status.txt?password=bench`;
      kannel.run(peers.bearerbox, file, peers.env);
      await says(status, /carrier.*\(online/s);
      kannel.run(peers.smsbox, file, peers.env);
      await says(status, /smsbox:/);
      await sleep(500);
      return kannel;
    } catch (error) {
      await kannel.stop();
      throw error;
    }
  }

  /** CPU seconds since their start. */
  cpu(): number {
    return this.processes.reduce((sum, { pid }) => sum + cpuSeconds(pid!), 0);
  }

  async stop(): Promise<void> {
    for (const child of this.processes) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(program: string, file: string, env: NodeJS.ProcessEnv): void {
    const child = spawn(program, ['-v', '4', file], {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env },
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.processes.push(child);
  }

  private config(at: {
    admin: number;
    boxes: number;
    carrierPort: number;
    window: number;
  }): string {
    return `group = core
admin-port = ${at.admin}
admin-interface = 127.0.0.1
admin-password = bench
smsbox-port = ${at.boxes}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1
log-file = ${this.folder}/bearerbox.log
log-level = 3
store-type = file
store-location = ${this.folder}/store
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = carrier
host = 127.0.0.1
port = ${at.carrierPort}
transceiver-mode = true
smsc-username = bench
smsc-password = bench
system-type = ""
interface-version = 34
source-addr-ton = 5
source-addr-npi = 0
dest-addr-ton = 1
dest-addr-npi = 1
max-pending-submits = ${at.window}

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${this.port}
sendsms-interface = 127.0.0.1
log-file = ${this.folder}/smsbox.log
log-level = 3

group = sendsms-user
username = bench
password = bench
`;
  }
}

async function says(url: string, words: RegExp): Promise<void> {
  for (const started = performance.now(); performance.now() - started < READY_MS;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer && words.test(await answer.text())) return;
    await sleep(100);
  }
  throw new Error(`Kannel is not ready: ${words}`);
}
