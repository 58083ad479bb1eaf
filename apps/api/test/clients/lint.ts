import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type Compile = (this: object, schema: object, ...more: unknown[]) => unknown;
const ofRules = createRequire(import.meta.resolve('@stoplight/spectral-rulesets'));
const { prototype } = (ofRules('ajv/dist/core') as { default: { prototype: { compile: Compile } } })
  .default;
const { compile } = prototype;
/** By validator and the text of a schema. */
const compiled = new WeakMap<object, Map<string, unknown>>();
/**
 * Spectral copies the schema of each example and compiles the copy, which is most of its work: each refusal has the same one in hundreds of
 * operations. Copies with the same text are compiled once.
 */
prototype.compile = function (schema, ...more) {
  const texts = compiled.get(this) ?? new Map<string, unknown>();
  compiled.set(this, texts);
  const text = JSON.stringify(schema);
  const known = texts.get(text) ?? compile.call(this, schema, ...more);
  texts.set(text, known);
  return known;
};

/** `lint.ts DOCUMENT` prints what Spectral has to say about an OpenAPI document. */
const linter = new spectral.Spectral();
linter.setRuleset({ extends: [rulesets.oas] });
const results = await linter.run(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as object);
console.log(
  JSON.stringify(results.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)),
);
