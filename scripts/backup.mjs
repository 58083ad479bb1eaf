// `npm run backup -- FOLDER`: copies the database and the files of `npm start` while it runs. Docs: docs/operations.md.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backup, refuseForeign } from './lib/backup.mjs';
import { build } from './lib/build.mjs';
import { Trouble, dataDir, main, say } from './lib/project.mjs';
import { bootstrap } from './lib/runtime.mjs';
import { entry } from './lib/server.mjs';

await main(async () => {
  refuseForeign();
  const [to] = process.argv.slice(2);
  if (!to) throw new Trouble('Usage: npm run backup -- FOLDER, which is created.');
  const node = await bootstrap();
  // A product that runs keeps what it was built from.
  if (!existsSync(entry('cli'))) await build(node, ['api']);
  await backup({ node, dir: dataDir, to: resolve(to) });
  say(`Backed up to ${resolve(to)}. To restore it: npm run restore -- ${resolve(to)}`);
});
