import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { onSignals, run, stopRuns } from './processes.mjs';
import { dataDir, main, root } from './project.mjs';

await main(async () => {
  const parent = join(dataDir, 'chaos');
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'run-'));
  chmodSync(dir, 0o711); // as root the servers run under an account of their own, which has to pass
  onSignals(() => void stopRuns());
  await build(process.execPath, ['api']);
  const args = [join(root, 'chaos/run.ts'), ...process.argv.slice(2)];
  const code = await run(process.execPath, args, {
    cwd: root,
    env: { ...process.env, CHAOS_DIR: dir },
  });
  // The data of a failed run is kept.
  if (code === 0)
    for (const place of ['postgres', 'redis'].map((name) => join(dir, name)))
      rmSync(realpathSync(place), { recursive: true, force: true });
  if (code === 0) rmSync(dir, { recursive: true, force: true });
  return code;
});
