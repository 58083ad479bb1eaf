import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { onSignals, run, stopRuns } from './processes.mjs';
import { dataDir, main, root } from './project.mjs';
import { services } from '../services.mjs';

await main(async () => {
  // Beside the project, not under /tmp, which may be memory: what is measured is a disk.
  const parent = join(dataDir, 'bench');
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'run-'));
  chmodSync(dir, 0o711); // as root the servers run under an account of their own, which has to pass
  let own = {};
  let stop = async () => {};
  let stopping = false;
  onSignals(() => {
    stopping = true;
    void stopRuns();
  });
  try {
    await build(process.execPath);
    let env;
    ({ env, own, stop } = await services({ dir }));
    if (stopping) return 1;
    const words = process.argv.slice(2);
    const file = words[0] === 'soak' ? words.shift() : 'run';
    return await run(process.execPath, [join(root, `bench/${file}.ts`), ...words], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', ...env },
    });
  } finally {
    await stop();
    for (const place of [dir, ...Object.values(own).map(({ home }) => home)]) {
      rmSync(place, { recursive: true, force: true });
    }
  }
});
