import { readFileSync } from 'node:fs';
import manifest from '../../../../package.json' with { type: 'json' };

/** The version of the product, from the manifest of the repository. */
export const VERSION: string = manifest.version;

/** The commit of this build, as `npm run build` and the image write it beside the built files; `unknown` if it runs from sources. */
export const BUILD: string = readBuild();

function readBuild(): string {
  try {
    return readFileSync(new URL('./build-id', import.meta.url), 'utf8').trim() || 'unknown';
  } catch {
    return 'unknown';
  }
}
