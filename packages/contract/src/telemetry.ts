import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { Id, text, Time } from './fields.ts';
import { Coordinates } from './geocode.ts';
import { listQuery, page, Scoped } from './list.ts';

/** Additional data of a visit. Contains the location, in English, only with the consent of the user (`LocationConsent`). */
export const VisitData = z
  .object({
    url: z.string(),
    country: z.string(),
    continent: z.string(),
    city: z.string(),
    isoCode: z.string(),
    /** The user who opened the session by login-as. */
    actorId: Id,
  })
  .partial();

/** A visit of the cabinet: user, IP address and client. */
export const Visit = z.strictObject({
  id: Id,
  /** Null for visits by users above the reader's level, in a session opened by login-as. */
  ip: z.string().nullable(),
  action: z.string(),
  useragent: z.string().nullable(),
  /** Browser and operating system by the user agent; null if they are not known. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  data: VisitData,
  OwnerId: Id,
  UserId: Id,
  createdAt: Time,
});
export type Visit = z.infer<typeof Visit>;

/** `country` and `city` are stored only with the consent of the user (`LocationConsent`). */
export const VisitInput = z.strictObject({
  action: z.enum(['login']).default('login'),
  /** Not stored: the header of the request is. */
  useragent: text(1000).optional(),
  data: z
    .strictObject({ url: text(500), country: text(80), city: text(120) })
    .partial()
    .default({}),
});

/** Consent of a user to store country and city of sign-ins. */
export const LocationConsent = z.object({
  /** Null until the user has decided. */
  isAllowed: z.boolean().nullable(),
  /** Earliest time at which a location can be stored again; null for now. */
  nextAt: Time.nullable(),
});
export type LocationConsent = z.infer<typeof LocationConsent>;

export const telemetry = {
  find: endpoint('GET', '/telemetry', {
    query: listQuery({
      order: ['createdAt'],
      filter: { action: text(40), OwnerId: Id },
      range: ['createdAt'],
      search: true,
      limit: 20,
    }),
    response: page(Visit),
    can: 'telemetry.get',
    owner: 'read',
  }),
  get: endpoint('GET', '/telemetry/:id', {
    params: ById,
    query: Scoped,
    response: Visit,
    can: 'telemetry.get',
  }),
  create: endpoint('POST', '/telemetry', {
    cost: 'visit',
    body: VisitInput,
    response: Visit,
    status: 201,
    can: 'telemetry.create',
    beforeSecondFactor: true,
  }),
  consent: endpoint('GET', '/telemetry/consent', {
    response: LocationConsent,
    can: 'telemetry.get',
    beforeSecondFactor: true,
    summary: 'Retrieve the consent to store locations of visits',
  }),
  /** Withdrawing the consent deletes the stored locations. Only the user itself can decide. */
  decide: endpoint('PUT', '/telemetry/consent', {
    body: z.strictObject({ isAllowed: z.boolean() }),
    response: LocationConsent,
    can: 'telemetry.create',
    audit: 'telemetry.decide',
    summary: 'Give or withdraw the consent to store locations of visits',
  }),
  /** Stores country and city in an own visit of the last day, with consent and at most once in 24 hours. */
  locate: endpoint('PUT', '/telemetry/:id/place', {
    params: ById,
    body: Coordinates,
    response: Visit,
    can: 'telemetry.create',
    beforeSecondFactor: true,
    summary: 'Store the location of a visit',
  }),
};
