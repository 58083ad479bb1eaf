import { EXAMPLES, type Examples } from '@heliograph/contract/descriptions';
import { exampleOf, type Descriptions, type Schema } from '../descriptions.ts';

interface Content {
  [type: string]: { schema: Schema; example?: unknown; examples?: Examples };
}
interface Response {
  content?: Content;
  headers?: Record<string, Parameter>;
}
interface Parameter {
  name: string;
  schema: Schema;
  description?: string;
  example?: unknown;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
}
/** The part of the document that gets descriptions. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

/** Adds descriptions and examples to all fields, parameters, headers and bodies. */
export function describeAll(
  { paths, webhooks, components }: OpenApi,
  descriptions: Descriptions,
): void {
  const { schemas, responses: refusals } = components;
  for (const [name, schema] of Object.entries(schemas)) descriptions.named(schema, name);
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) =>
    Object.values(item),
  );
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    // `PUT` and `PATCH` are one operation of the contract.
    const path = operationId.split('.').slice(0, 2);
    for (const parameter of parameters) {
      describeParameter(parameter, [...path, `?${parameter.name}`], descriptions);
      parameter.example = exampleOf(parameter.schema, schemas);
    }
    for (const [status, { content }] of [
      ['body', requestBody ?? {}] as const,
      ...Object.entries(responses),
    ])
      for (const [type, media] of Object.entries(content ?? {})) {
        descriptions.schema(media.schema, path);
        const several = status === 'body' && EXAMPLES[path.join('.')];
        if (several) media.examples = several;
        else if (isText(type))
          media.example ??=
            descriptions.example([...path, status]) ?? exampleOf(media.schema, schemas);
      }
  }
  const answers = [
    ...Object.values(refusals),
    ...operations.flatMap((one) => Object.values(one.responses)),
  ];
  for (const header of answers.flatMap(({ headers = {} }) => Object.values(headers)))
    header.example = exampleOf(header.schema, schemas);
}

const isText = (type: string) => type === 'application/json' || type.endsWith('urlencoded');

function describeParameter(parameter: Parameter, path: string[], descriptions: Descriptions): void {
  const { schema } = parameter;
  schema.description ??= parameter.description;
  descriptions.field(schema, path);
  descriptions.schema(schema, path);
  parameter.description = schema.description;
}
