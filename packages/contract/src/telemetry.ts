import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { Id, text, Time } from './fields.ts';
import { Coordinates } from './geocode.ts';
import { listQuery, page } from './list.ts';

/** What is known of a visit beside. The place stands there when the person lets it be noted (`LocationConsent`), in English. */
export const VisitData = z
  .object({
    url: z.string(),
    country: z.string(),
    continent: z.string(),
    city: z.string(),
    isoCode: z.string(),
    /** Who signed in as the user. */
    actorId: Id,
  })
  .partial();

/** A visit: who came from where with what. */
export const Visit = z.strictObject({
  id: Id,
  /** Null where the reader may not know: of a superior who was signed in as it. */
  ip: z.string().nullable(),
  action: z.string(),
  useragent: z.string().nullable(),
  data: VisitData,
  OwnerId: Id,
  UserId: Id,
  createdAt: Time,
});
export type Visit = z.infer<typeof Visit>;

/** `country` and `city` are kept only of a person who lets them be noted (`LocationConsent`). */
export const VisitInput = z.strictObject({
  action: z.enum(['login']).default('login'),
  data: z
    .strictObject({ url: text(500), country: text(80), city: text(120) })
    .partial()
    .default({}),
});

/** Whether a person lets the country and the city of its sign-ins be noted. */
export const LocationConsent = z.object({
  /** Null while the person has not decided. */
  isAllowed: z.boolean().nullable(),
  /** From when on a place may be noted again; null: now. */
  nextAt: Time.nullable(),
});
export type LocationConsent = z.infer<typeof LocationConsent>;

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
  consent: endpoint('GET', '/telemetry/consent', {
    response: LocationConsent,
    can: 'telemetry.get',
    summary: 'Whether places of visits are noted',
  }),
  /** Withdrawn, the places that were noted go. Decided by the person itself. */
  decide: endpoint('PUT', '/telemetry/consent', {
    body: z.strictObject({ isAllowed: z.boolean() }),
    response: LocationConsent,
    can: 'telemetry.create',
    audit: 'telemetry.decide',
    summary: 'Let places of visits be noted, or not',
  }),
  /** Notes country and city in one's own visit of the last day, with consent and once in 24 hours. */
  locate: endpoint('PUT', '/telemetry/:id/place', {
    params: ById,
    body: Coordinates,
    response: Visit,
    can: 'telemetry.create',
    summary: 'Note the place of a visit',
  }),
};
