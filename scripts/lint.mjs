// `npm run lint`: oxlint with the repository's rules.
import { mainOnWorkspaceNode } from './lib/runtime.mjs';

await mainOnWorkspaceNode('node_modules/oxlint/bin/oxlint');
