// `npm run format`: oxfmt; `npm run format -- --check` changes nothing.
import { mainOnWorkspaceNode } from './lib/runtime.mjs';

await mainOnWorkspaceNode('node_modules/oxfmt/bin/oxfmt');
