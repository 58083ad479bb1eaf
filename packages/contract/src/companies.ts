import * as z from 'zod';
import { DOCUMENT_TYPES, NUMBER_PREFIX, requisiteErrors, TAX_SYSTEMS } from '@heliograph/domain';
import {
  arrayOf,
  Email,
  Id,
  line,
  OwnerRef,
  printed,
  QueryBoolean,
  Time,
  trimmed,
} from './fields.ts';
import { crud, listQuery } from './list.ts';
import { REQUISITE_MESSAGES } from './requisites.ts';

export const DocumentType = z.enum(DOCUMENT_TYPES);
export type DocumentType = z.infer<typeof DocumentType>;
export const CompanyTaxSystem = z.enum(TAX_SYSTEMS);

const MAX_NAME = 300;
const name = printed(MAX_NAME);
/** Absent and empty are the same. */
const optional = name.optional();

const number = trimmed(20);

/** The seller's requisites, as documents show them. */
export const CompanyData = z
  .strictObject({
    legal: z.strictObject({
      name: name.min(1),
      inn: number.min(1),
      kpp: number.optional(),
      ogrn: number.optional(),
      address: name.min(1),
    }),
    bank: z.strictObject({
      name: name.min(1),
      bik: number.min(1),
      rs: number.min(1),
      ks: number.min(1),
    }),
    signer: z.strictObject({
      fullName: name.min(1),
      fullNameGenitive: optional,
      position: name.min(1),
      positionGenitive: optional,
      basis: optional,
      basisGenitive: optional,
    }),
    accountant: optional,
    phone: trimmed(40).optional(),
    email: Email.optional(),
  })
  // The same rules as for the requisites of customers; the form of organization is part of the name.
  .superRefine(({ legal, bank }, ctx) => {
    for (const { field, rule } of requisiteErrors({ opf: '', ogrn: '', ...legal }, bank)) {
      const message = REQUISITE_MESSAGES[rule];
      ctx.addIssue({ code: 'custom', path: field.split('.'), message, params: { rule } });
    }
  });
export type CompanyData = z.infer<typeof CompanyData>;

const prefix = trimmed(8).refine((value) => NUMBER_PREFIX.test(value), {
  message: 'The prefix may contain only letters and digits.',
  params: { rule: 'characters' },
});
const MAX_VALID_DAYS = 365;
const validDays = z.int().min(1).max(MAX_VALID_DAYS);

/** A company that issues contracts, invoices and acts. */
export const Company = z.object({
  id: Id,
  title: z.string(),
  taxSystem: CompanyTaxSystem,
  vat: z.boolean(),
  prefix: z.string(),
  validDays: z.int(),
  data: CompanyData,
  isActive: z.boolean(),
  DocumentTemplatesTypes: z.array(DocumentType),
  OwnerId: Id.nullable(),
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Company = z.infer<typeof Company>;

export const CompanyInput = z.strictObject({
  title: line(150).min(1),
  taxSystem: CompanyTaxSystem,
  prefix: prefix.optional(),
  validDays: validDays.optional(),
  data: CompanyData,
  isActive: z.boolean().optional(),
  OwnerId: Id.nullable().optional(),
});
export const CompanyUpdate = CompanyInput.omit({ OwnerId: true }).partial();

/** The owner `global` selects companies that belong to no account. */
const OwnerFilter = z.union([z.literal('global').transform(() => null), Id]);

export const companies = crud('companies', {
  item: Company,
  input: CompanyInput,
  update: CompanyUpdate,
  query: listQuery({
    order: ['createdAt', 'title', 'updatedAt'],
    filter: {
      vat: QueryBoolean,
      isActive: QueryBoolean,
      /** Companies that have an active template of each of these types. */
      type: z.preprocess(
        (v) => (v === undefined || Array.isArray(v) ? v : [v]),
        arrayOf(DocumentType, { min: 1, max: DOCUMENT_TYPES.length }),
      ),
      OwnerId: OwnerFilter,
      /** Companies that may issue documents to this account. */
      customerId: Id,
    },
    scope: ['documentTypes'],
    range: ['createdAt'],
    search: true,
  }),
  owner: 'write',
  audit: true,
  sessionOnly: true,
});
// Reading is open to API tokens: programs choose a company for `documentTemplates.generate`.
companies.find = { ...companies.find, sessionOnly: undefined };
companies.get = { ...companies.get, sessionOnly: undefined };
