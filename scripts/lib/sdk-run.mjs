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
  const out = process.argv[2] ?? join(root, 'packages/sdk/dist');
  try {
    mkdirSync(out, { recursive: true });
    writeFileSync(document, JSON.stringify(openapi({ version, site: 'http://localhost' })));
    for (const [script, place] of [
      ['build.ts', built],
      ['python.ts', out],
      ['php.ts', out],
    ]) {
      const words = [join(root, 'packages/sdk', script), document, place];
      const code = await run(process.execPath, words);
      if (code) return code;
    }
    const pnpm = join(root, 'node_modules/pnpm/bin/pnpm.cjs');
    return await run(process.execPath, [pnpm, 'pack', '--pack-destination', out], { cwd: built });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
