// `npm test`: static checks, all tests, browser journeys, from a bare checkout.
//   npm test                    what every change has to pass
//   npm test -- --all           that, the long tests, the attacks on the built product and rounds of chaos
//   npm test -- --no-browser    without the browser journeys
//   npm test -- --journeys      all that is done in a browser and nothing else: `npm run e2e`
//   npm test -- --shuffle       with the files of each project in random order
//   npm test -- --jitter        with what the tests and the product send and read held back at random
//   npm test -- --pooled        with the API's tests through PgBouncer in transaction mode
//   npm test -- --replicated    with lists read from a streaming replica
//   npm test -- sendernames     only the tests whose file name contains a word
//   npm test -- -t "a name"     only the tests whose name matches
import { mainOnWorkspaceNode } from './lib/runtime.mjs';

await mainOnWorkspaceNode('scripts/lib/test-run.mjs');
