import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openapi } from '../../apps/api/src/core/http/openapi/openapi.ts';
import { run } from './processes.mjs';
import { main, root } from './project.mjs';

await main(async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-sdk-'));
  const [document, built] = [join(folder, 'openapi.json'), join(folder, 'sdk')];
  const out = join(root, 'packages/sdk/dist');
  try {
    writeFileSync(document, JSON.stringify(openapi({ version, site: 'http://localhost' })));
    const code = await run(process.execPath, [
      join(root, 'packages/sdk/build.ts'),
      document,
      built,
    ]);
    if (code) return code;
    mkdirSync(out, { recursive: true });
    const pnpm = join(root, 'node_modules/pnpm/bin/pnpm.cjs');
    return await run(process.execPath, [pnpm, 'pack', '--pack-destination', out], { cwd: built });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
