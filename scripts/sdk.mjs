// `npm run sdk`: packs the client for TypeScript and JavaScript into packages/sdk/dist.
import { mainOnWorkspaceNode } from './lib/runtime.mjs';

await mainOnWorkspaceNode('scripts/lib/sdk-run.mjs');
