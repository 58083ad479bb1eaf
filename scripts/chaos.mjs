// `npm run chaos -- --rounds N --seed X`: bulks under faults of every process and server, then every check; `--routes`: routes over seven carriers; `--fallbacks`: bulks over SMPP with a fallback to e-mail; `--planted [N...]`: the program has a known fault, which has to be found; `--machines`: also clocks that are put, a full Redis, a disk that hangs; `--jitter`: traffic is held back; `--scale [PART...]`: several processes of each kind lose a part. Docs: docs/reliability.md.
import { mainOnWorkspaceNode } from './lib/runtime.mjs';

await mainOnWorkspaceNode('scripts/lib/chaos-run.mjs');
