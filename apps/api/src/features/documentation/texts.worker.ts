import { parentPort, workerData } from 'node:worker_threads';
import { asyncapi } from '../../core/http/asyncapi.ts';
import { openapi } from '../../core/http/openapi/openapi.ts';
import { VERSION } from '../../core/version.ts';
import type { Generated } from './generated-texts.ts';
import { postmanCollection } from './postman.ts';
import { createReference } from './reference.ts';
import { REFERENCE_TEXTS } from './reference-texts.ts';

const installation = { version: VERSION, site: workerData as string };
const post = (...generated: Generated) => parentPort!.postMessage(generated);

const document = openapi(installation);
post('openapi', JSON.stringify(document));
post('asyncapi', JSON.stringify(asyncapi(installation, document)));
post('postman', JSON.stringify(postmanCollection(installation, document)));
for (const locale of Object.keys(REFERENCE_TEXTS))
  post(`reference-${locale}`, createReference(locale, document));
