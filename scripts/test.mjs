// `npm test`: static checks, all tests, browser journeys, from a bare checkout.
//   npm test                    everything
//   npm test -- --no-browser    without the browser journeys
//   npm test -- --journeys      all that is done in a browser and nothing else: `pnpm e2e`
//   npm test -- sendernames     only the tests whose file name contains a word
import { mainOnWorkspaceNode } from './lib/runtime.mjs';

await mainOnWorkspaceNode('scripts/lib/test-run.mjs');
