import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build } from '../scripts/lib/build.mjs';
import { runChaos } from './rounds.ts';

test('a short chaos round has no findings', async () => {
  await build(process.execPath, ['api']);
  const dir = mkdtempSync(join(tmpdir(), 'heliograph-chaos-'));
  chmodSync(dir, 0o711); // as root the servers run under an account of their own, which has to pass
  const seed = process.env.CHAOS_SEED ?? Date.now().toString(36);
  const summary = await runChaos({ rounds: 1, size: 600, seed, dir, faultsMs: 3000, pauseMs: 800 });
  const { failed } = summary;
  expect(failed, `seed ${seed}, data in ${dir}: ${JSON.stringify(failed)}`).toBeNull();
  expect(Object.keys(summary.faults)).not.toHaveLength(0);
  expect(summary.messages).toBeGreaterThan(400);
  expect(summary.payments).toBeGreaterThan(0);
  expect(summary.failedHooks).toBeGreaterThan(0);
  expect(summary.codes).toBeGreaterThan(0);
  rmSync(dir, { recursive: true, force: true });
}, 600_000);
