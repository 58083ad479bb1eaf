import * as z from 'zod';
import { arrayOf, Id, many, OwnerRef, Time, trimmed } from './fields.ts';
import { crud, listQuery } from './list.ts';

export const MAX_CONTRACT_TAGS = 20;

const fields = z.strictObject({
  title: trimmed(150).min(1),
  tags: arrayOf(trimmed(40).min(1), { max: MAX_CONTRACT_TAGS }),
});
/** A contract is created by `POST /documentTemplates/generate`; its sides do not change. */
export const ContractUpdate = fields.partial();

export const Contract = z.object({
  id: Id,
  title: z.string(),
  tags: z.array(z.string()),
  /** They may have been removed since. */
  RequisiteId: Id,
  CompanyId: Id,
  FileId: Id,
  OwnerId: Id,
  Owner: OwnerRef.optional(),
  createdAt: Time,
  updatedAt: Time,
});
export type Contract = z.infer<typeof Contract>;

const base = crud('contracts', {
  item: Contract,
  input: fields,
  update: ContractUpdate,
  audit: true,
  refusedInRestrictedMode: true,
  query: listQuery({
    order: ['createdAt', 'updatedAt', 'title'],
    filter: { id: many(Id), RequisiteId: Id, CompanyId: many(Id), OwnerId: Id },
    range: ['createdAt'],
    search: true,
    limit: 20,
  }),
});

/** The contracts of an account with the companies that serve it, one for each requisite and company. */
export const contracts = {
  find: base.find,
  get: base.get,
  update: base.update,
  remove: base.remove,
};
