// `npm run bench -- NAME...` and `npm run soak`: measurements on a database of their own, with the durable settings of `npm start`.
import { mainOnWorkspaceNode } from './lib/runtime.mjs';

await mainOnWorkspaceNode('scripts/lib/bench-run.mjs');
