import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { readFileSync } from 'node:fs';

/** `lint.ts DOCUMENT` prints what Spectral has to say about an OpenAPI document. */
const linter = new spectral.Spectral();
linter.setRuleset({ extends: [rulesets.oas] });
const results = await linter.run(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as object);
console.log(
  JSON.stringify(results.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)),
);
