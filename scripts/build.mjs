// `npm run build`: builds the API and the cabinet into apps/*/dist.
import { mainOnWorkspaceNode } from './lib/runtime.mjs';

await mainOnWorkspaceNode('scripts/lib/build-run.mjs');
