import { costOf, ErrorBody, ERRORS, type Endpoint } from '@heliograph/contract';
import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';

/** The body of files in requests and responses. */
export const BYTES = z.string().meta({ override: { type: 'string', format: 'binary' } });

/** The responses of an endpoint; `describe` returns the description of a successful one. */
export function responsesOf(
  def: Endpoint,
  describe: (status: string) => string,
): ZodOpenApiResponsesObject {
  const answers = def.responses ?? { [def.status ?? 200]: def.response };
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  for (const status of statusesOf(def)) responses[status] = refusal(status);
  for (const [status, schema] of Object.entries(answers)) {
    const own = {
      ...(def.download && { 'application/octet-stream': { schema: BYTES } }),
      'application/json': {
        schema: Number(status) < 400 ? schema : z.union([schema, ErrorBody]),
      },
    };
    responses[status] = {
      description: Number(status) < 400 ? describe(status) : `Refused: ${codesOf(Number(status))}`,
      ...(def.idempotent && {
        headers: z.object({
          'Idempotency-Replay': z
            .enum(['true'])
            .optional()
            .describe('The response is that of the first request with this key.'),
        }),
      }),
      content: own,
    };
  }
  return responses as ZodOpenApiResponsesObject;
}

/** The error statuses that an endpoint may return. Outside of production, others are errors (`ErrorFilter`). */
export function statusesOf(def: Endpoint): number[] {
  const isSession = def.can !== 'public';
  const takes = Boolean(def.params ?? def.query ?? def.body ?? def.upload);
  const isCounted = costOf(def) !== 'free';
  // Public calls too: a wrong password, a missing captcha, a token with fewer permissions, an expired link.
  const isRefused = isSession || Boolean(def.body ?? def.orWith ?? (def.download && def.query));
  return [
    // Also for a path that cannot be decoded.
    ...(def.body || def.upload || def.params ? [400] : []),
    ...(def.body || def.upload ? [413, 415] : []),
    ...(isRefused ? [401, 403] : []),
    // Also for the `OwnerId` of a filter that is out of reach.
    ...(def.params || def.body || def.query || def.optional ? [404] : []),
    ...(def.longPoll ? [408] : []),
    // What a client reads may have ended, of the public calls.
    ...(def.method === 'GET' && isSession ? [] : [409]),
    ...(def.charges ? [402] : []),
    ...(def.download ? [416] : []),
    ...(takes || !def.anyQuery ? [422] : []),
    // Also after wrong tokens and signatures of the network.
    ...(isCounted || isRefused ? [429] : []),
    500,
    503,
  ];
}

const codesOf = (status: number) =>
  Object.entries(ERRORS)
    .flatMap(([code, of]) => (of === status ? [`\`${code}\``] : []))
    .join(', ');

const REFUSALS = new Map<number, ZodOpenApiResponseObject>();
/** The error response of a status, shared by all endpoints. */
function refusal(status: number): ZodOpenApiResponseObject {
  let response = REFUSALS.get(status);
  if (!response) {
    const isLater = status === 429 || status === 503;
    const code = Object.entries(ERRORS).find(([, of]) => of === status)![0];
    const name = STATUS_CODES[status]!;
    const example = { error: status, code, name, message: name, requestId: 'a-request-of-yours' };
    response = {
      id: name.replaceAll(/[^A-Za-z]/g, ''),
      description: `Refused: ${codesOf(status)}`,
      ...(isLater && {
        headers: z.object({
          'Retry-After': z
            .int()
            .optional()
            .meta({ description: 'Seconds to wait.', examples: [12] }),
        }),
      }),
      content: { 'application/json': { schema: ErrorBody, example } },
    };
    REFUSALS.set(status, response);
  }
  return response;
}
