import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { onSignals, run, stopRuns } from './processes.mjs';
import { dataDir, main, root } from './project.mjs';

/** Several processes of each kind lose one part after the other: those that are named, or each. */
function losePartsOf(names) {
  const args = [join(root, 'scripts/test.mjs'), '--no-browser', '--all', 'flows/scaled'];
  const env = { ...process.env, SCALED_PARTS: names.join() || 'all' };
  return run(process.execPath, args, { cwd: root, env });
}

await main(async () => {
  onSignals(() => void stopRuns());
  const [first, ...rest] = process.argv.slice(2);
  if (first === '--scale') return losePartsOf(rest);
  const parent = join(dataDir, 'chaos');
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'run-'));
  chmodSync(dir, 0o711); // as root the servers run under an account of their own, which has to pass
  await build(process.execPath, ['api']);
  const args = [join(root, 'chaos/run.ts'), ...process.argv.slice(2)];
  return run(process.execPath, args, { cwd: root, env: { ...process.env, CHAOS_DIR: dir } });
});
