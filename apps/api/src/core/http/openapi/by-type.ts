import { payloadOf } from '@heliograph/contract';
import { SENDING_TYPES, type SendingType } from '@heliograph/domain';
import type * as z from 'zod';
import type { Schema } from '../descriptions.ts';

type ObjectSchema = Schema & { required?: string[] };

/** What has a message type and the payload of that type. */
const TYPED = ['SendingInput', 'FallbackInput', 'RecurringSendingInput'];

/** `chat_vk` is `ChatVk` in the names of schemas. */
const nameOf = (type: SendingType) =>
  type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
const refTo = (name: string) => `#/components/schemas/${name}`;

/** The payload of each type: `SmsPayload`. */
export const payloadSchemas: Record<string, z.ZodType> = Object.fromEntries(
  SENDING_TYPES.map((type) => [`${nameOf(type)}Payload`, payloadOf(type)]),
);

/** Replaces the schemas by alternatives for each type, which share the other fields: generators make a union of them. */
export function splitByType(schemas: Record<string, Schema>): void {
  // That of any type is in no request.
  delete schemas.Payload;
  for (const name of TYPED) {
    const { properties, required = [], description, examples } = schemas[name] as ObjectSchema;
    const { type, payload, ...others } = properties!;
    const isOther = (field: string) => field in others;
    schemas[`${name}Fields`] = {
      type: 'object',
      properties: others,
      required: required.filter(isOther),
      description: `The fields of ${name} that do not depend on the type.`,
    } as ObjectSchema;
    const mapping: Record<string, string> = {};
    for (const one of SENDING_TYPES) {
      const own = `${nameOf(one)}${name}`;
      mapping[one] = refTo(own);
      schemas[own] = {
        allOf: [
          { $ref: refTo(`${name}Fields`) },
          {
            type: 'object',
            properties: {
              type: { type: 'string', const: one, description: type!.description },
              payload: {
                $ref: refTo(`${nameOf(one)}Payload`),
                description: payload!.description,
              },
            },
            required: ['type', 'payload'],
          } as ObjectSchema,
        ],
        unevaluatedProperties: false,
        description: `${name} of the type \`${one}\`.`,
      } as Schema;
    }
    schemas[name] = {
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: 'type', mapping },
      description,
      examples,
    } as Schema;
  }
}
