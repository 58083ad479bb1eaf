import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build } from '../scripts/lib/build.mjs';
import { hasPostfix } from '../scripts/lib/postfix.mjs';
import { runFallbacks } from './fallbacks.ts';
import { runChaos } from './rounds.ts';

/** As root the servers run under an account of their own, which has to pass. */
function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'heliograph-chaos-'));
  chmodSync(dir, 0o711);
  return dir;
}

test('a short chaos round has no findings', async () => {
  await build(process.execPath, ['api']);
  const dir = folder();
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

test.skipIf(!hasPostfix())(
  'a short round over SMPP with a fallback to e-mail has no findings',
  async () => {
    await build(process.execPath, ['api']);
    const dir = folder();
    const { findings, ...figures } = await runFallbacks({
      seed: 'heliograph',
      size: 300,
      dir,
      faultsMs: 6000,
      pauseMs: 800,
    });
    expect(findings, `data in ${dir}`).toEqual([]);
    expect(figures.messages).toBe(300);
    for (const key of ['long', 'arrived', 'returned'] as const)
      expect(figures[key], key).toBeGreaterThan(0);
    expect(Object.keys(figures.faults)).not.toHaveLength(0);
    rmSync(dir, { recursive: true, force: true });
  },
  600_000,
);
