import { createClient } from '@hey-api/openapi-ts';
import { writeFile } from 'node:fs/promises';
import openapiTs, { astToString } from 'openapi-typescript';

/** `generate.ts DOCUMENT FOLDER` generates the modules that the two programs beside it import. */
const [document, folder] = process.argv.slice(2) as [string, string];
await writeFile(`${folder}/schema.ts`, astToString(await openapiTs(new URL(`file://${document}`))));
await createClient({
  input: document,
  output: { path: `${folder}/sdk`, module: { extension: '.js' } },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
});
