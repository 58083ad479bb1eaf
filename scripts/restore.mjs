// `npm run restore -- FOLDER`: what `npm run backup` has copied there takes the place of the data of `npm start`. Docs: docs/operations.md.
import { resolve } from 'node:path';
import { refuseForeign, restore } from './lib/backup.mjs';
import { build } from './lib/build.mjs';
import { Trouble, dataDir, main, say } from './lib/project.mjs';
import { bootstrap } from './lib/runtime.mjs';

await main(async () => {
  refuseForeign();
  const [from] = process.argv.slice(2);
  if (!from) throw new Trouble('Usage: npm run restore -- FOLDER of a backup.');
  const node = await bootstrap();
  await build(node, ['api']);
  await restore({ node, dir: dataDir, from: resolve(from) });
  say('Restored. Compare what was paused with your carrier, then: npm start');
});
