import { costOf, RATES, type Endpoint, type Rate } from '@heliograph/contract';
import { NOUNS, RESPONSES } from '@heliograph/contract/descriptions';
import * as z from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { BYTES, responsesOf } from './responses.ts';

/** Summary and response description of CRUD endpoints. */
const VERBS: Record<
  string,
  (noun: { one: string; many: string }) => [does: string, answers: string]
> = {
  find: ({ many }) => [`List ${many}`, `A page of ${many}.`],
  get: ({ one }) => [`Read ${withArticle(one)}`, `The ${one}.`],
  create: ({ one }) => [`Create ${withArticle(one)}`, `The new ${one}.`],
  update: ({ one }) => [`Change ${withArticle(one)}`, `The ${one} as it is now.`],
  remove: ({ one }) => [`Remove ${withArticle(one)}`, `The id of the removed ${one}.`],
};

const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** The operation of an endpoint for one of its methods. */
export function operation(
  operationId: string,
  noun: string,
  verb: string,
  def: Endpoint,
): ZodOpenApiOperationObject {
  const [does, answers] = VERBS[verb]?.(NOUNS[noun]!) ?? [operationId, ''];
  const summary = def.summary ?? does;
  return {
    operationId,
    tags: [noun],
    summary,
    description: describe(def),
    'x-repeatable': repeatable(def),
    ...(def.can === 'public' && { security: [] }),
    requestParams: {
      ...(def.params && { path: def.params as z.ZodObject }),
      ...(def.query && { query: inputOf(def.query) as z.ZodObject }),
      ...(def.idempotent && {
        header: z.object({
          'Idempotency-Key': z.string().max(255).optional(),
        }),
      }),
    },
    ...requestBody(def),
    responses: responsesOf(
      def,
      (status) => RESPONSES[`${noun}.${verb}.${status}`] ?? RESPONSES[`${noun}.${verb}`] ?? answers,
    ),
  };
}

/**
 * Whether a call whose answer was lost may be sent again: `always` has the effect of one, `with-key` under the same
 * `Idempotency-Key`, `never` may have its effect twice.
 */
function repeatable({ method, mutates, idempotent }: Endpoint): 'always' | 'with-key' | 'never' {
  if (idempotent) return 'with-key';
  return method === 'POST' || mutates ? 'never' : 'always';
}

/** Required permission and rate limits. */
function describe(def: Endpoint): string {
  const access = {
    public: 'Requires no session.',
    session: def.sessionOnly ? 'Requires a session.' : 'Requires a session or an API token.',
    carrier: 'Signed with the secret of the channel as Standard Webhooks.',
  };
  const needs = access[def.can as keyof typeof access] ?? `Requires the permission \`${def.can}\`.`;
  const rate: Rate = RATES[costOf(def)];
  const per = (['account', 'session', 'network'] as const).flatMap((subject) =>
    rate[subject] ? [`${rate[subject]} per ${subject}`] : [],
  );
  const limits = per.length ? ` Requests per ${rate.seconds} s: ${per.join(', ')}.` : '';
  const only = def.sessionOnly ? ' API tokens are refused.' : '';
  return `${needs}${only}${limits}`;
}

function requestBody(def: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (def.upload) {
    // A second content type would make generated uploads take either, and send neither.
    const content = { 'multipart/form-data': { schema: z.object({ file: BYTES }) } };
    const description =
      'A form with the file. Its bytes alone are taken as well, with its own `Content-Type` and the header `X-Filename`.';
    return { requestBody: { required: true, description, content } };
  }
  if (!def.body) return {};
  const content = {
    'application/json': { schema: def.body },
    ...(def.form && { 'application/x-www-form-urlencoded': { schema: def.body } }),
    ...(def.foreign && { 'message/rfc822': { schema: z.string() } }),
  };
  return { requestBody: { required: !def.body.safeParse({}).success, content } };
}

/** The wire form of a parsed query. Objects are written as `field[$gt]=`. */
function inputOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return inputOf(schema.in as z.ZodType);
  const { shape } = schema as z.ZodObject;
  for (const value of Object.values(shape)) {
    const isRange = value instanceof z.ZodOptional && value.unwrap() instanceof z.ZodObject;
    if (isRange)
      z.globalRegistry.add(value, {
        param: { style: 'deepObject', explode: true },
      });
  }
  return schema;
}
