import { createClient } from '@hey-api/openapi-ts';
import { writeFile } from 'node:fs/promises';
import openapiTs, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

/** `generate.ts DOCUMENT FOLDER BASE` generates the modules that the programs beside it import. */
const [document, folder, base] = process.argv.slice(2) as [string, string, string];
await writeFile(`${folder}/schema.ts`, astToString(await openapiTs(new URL(`file://${document}`))));
await createClient({
  input: document,
  output: { path: `${folder}/sdk`, module: { extension: '.js' } },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
});
await generate({
  input: document,
  output: { target: `${folder}/orval-client.ts`, client: 'fetch', baseUrl: `${base}/api` },
});
