import { costOf, ErrorBody, ERRORS, type Endpoint, type ErrorCode } from '@heliograph/contract';
import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { pageOfError } from '../page-of-error.ts';

/** The body of files in requests and responses. */
export const BYTES = z.string().meta({ override: { type: 'string', format: 'binary' } });

/** The responses of an endpoint; `describe` returns the description of a successful one. */
export function responsesOf(
  def: Endpoint,
  describe: (status: string) => string,
): ZodOpenApiResponsesObject {
  const answers = def.responses ?? { [def.status ?? 200]: def.response };
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  for (const status of ownRefusals(def)) responses[status] = refusal(status);
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
  responses.default = otherwise(def);
  return responses as ZodOpenApiResponsesObject;
}

/**
 * What any call may be refused with, in one response: a response for each status would be the same in every operation, and collections of
 * examples that are made of the document would consist of them.
 */
function otherwise(def: Endpoint): ZodOpenApiResponseObject {
  const own = ownRefusals(def);
  const statuses = statusesOf(def).filter((status) => !own.includes(status));
  return {
    description: `Refused with ${listed(statuses)}.`,
    headers: z.object({
      'Retry-After': z
        .int()
        .optional()
        .meta({ description: 'Seconds to wait, with 429 and 503.', examples: [12] }),
    }),
    content: {
      'application/json': {
        schema: ErrorBody,
        example: exampleOf(statuses[0]!),
      },
    },
  };
}

/** The refusals with a response of their own: of money and of the input, or the first one. */
function ownRefusals(def: Endpoint): number[] {
  const statuses = statusesOf(def);
  const own = statuses.filter((status) => status === 402 || status === 422);
  return own.length ? own : statuses.slice(0, 1);
}

const listed = (statuses: number[]) => `${statuses.slice(0, -1).join(', ')} or ${statuses.at(-1)}`;

/** The error statuses that an endpoint may return. Outside of production, others are errors (`ErrorFilter`). */
export function statusesOf(def: Endpoint): number[] {
  const isSession = def.can !== 'public';
  const takes = Boolean(def.params ?? def.query ?? def.body ?? def.upload);
  const isCounted = costOf(def) !== 'free';
  // Public calls too: a wrong password, a missing captcha, a token with fewer permissions, an expired link.
  const isRefused = isSession || Boolean(def.body ?? def.orWith ?? (def.download && def.query));
  const statuses = [
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
  return statuses.toSorted((a, b) => a - b);
}

const codesOf = (status: number) =>
  Object.entries(ERRORS)
    .flatMap(([code, of]) => (of === status ? [`\`${code}\``] : []))
    .join(', ');

function exampleOf(status: number): ErrorBody {
  const code = (Object.keys(ERRORS) as ErrorCode[]).find((one) => ERRORS[one] === status)!;
  const name = STATUS_CODES[status]!;
  return {
    error: status,
    code,
    name,
    message: name,
    requestId: 'a-request-of-yours',
    docs: pageOfError('https://example.com', code),
  };
}

/** A response with one error status, shared by all endpoints. */
const SHARED = new Map<number, ZodOpenApiResponseObject>();
function refusal(status: number): ZodOpenApiResponseObject {
  let response = SHARED.get(status);
  if (!response) {
    response = {
      id: STATUS_CODES[status]!.replaceAll(/[^A-Za-z]/g, ''),
      description: `Refused: ${codesOf(status)}`,
      content: { 'application/json': { schema: ErrorBody, example: exampleOf(status) } },
    };
    SHARED.set(status, response);
  }
  return response;
}
