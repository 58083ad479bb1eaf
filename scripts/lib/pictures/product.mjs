import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readPidFile } from '../processes.mjs';
import { dataDir, root, Trouble } from '../project.mjs';

/** Pictures show working hours, whenever they are taken. */
const ZONES = { 2: 'Kaliningrad', 5: 'Yekaterinburg', 8: 'Irkutsk', 12: 'Kamchatka' };

/** The product to take pictures of, and how to stop it. */
export async function product(url) {
  const running = url ?? readPidFile(join(dataDir, 'run/launcher.json'))?.url;
  if (running) return { url: running, stop: () => {} };
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    env: { ...process.env, DEMO: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const started = await new Promise((resolve, reject) => {
    child.once('close', () => reject(new Trouble('The product did not start.')));
    child.stdout.on('data', (chunk) => {
      const [, ready] = /is ready: (\S+)/.exec(String(chunk)) ?? [];
      if (ready) resolve(ready);
    });
  });
  return { url: started, stop: () => child.kill('SIGTERM') };
}

/** A zone of Russia's in which it is late morning or early afternoon, as far as there is one. */
export function dayZone() {
  const hour = new Date().getUTCHours();
  const distance = (offset) => Math.abs(((hour + Number(offset)) % 24) - 13);
  const [best] = Object.keys(ZONES).toSorted((a, b) => distance(a) - distance(b));
  return `${best === '2' ? 'Europe' : 'Asia'}/${ZONES[best]}`;
}
