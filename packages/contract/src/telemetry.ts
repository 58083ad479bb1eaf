import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, text, Time } from './fields.ts';
import { listQuery, page } from './list.ts';

/** A visit: who came from where with what. */
export const Visit = z.strictObject({
  id: Id,
  /** Null where the reader may not know: of a superior who was signed in as it. */
  ip: z.string().nullable(),
  action: z.string(),
  useragent: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  OwnerId: Id,
  UserId: Id,
  createdAt: Time,
});
export type Visit = z.infer<typeof Visit>;

export const VisitInput = z.strictObject({
  action: z.enum(['login']).default('login'),
  data: z
    .strictObject({ url: text(500), country: text(80), city: text(120) })
    .partial()
    .default({}),
});

export const telemetry = {
  find: endpoint('GET', '/telemetry', {
    query: listQuery({
      order: ['createdAt'],
      filter: { action: text(40), OwnerId: Id },
      range: ['createdAt'],
      limit: 20,
    }),
    response: page(Visit),
    can: 'telemetry.get',
    owner: 'read',
  }),
  create: endpoint('POST', '/telemetry', {
    body: VisitInput,
    response: Visit,
    status: 201,
    can: 'telemetry.create',
  }),
};
