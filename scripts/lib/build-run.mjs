import { build } from './build.mjs';
import { main } from './project.mjs';

await main(async () => void (await build(process.execPath)));
