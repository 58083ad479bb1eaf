import {
  contracts,
  documentTemplates,
  invoices,
  requisites,
  type CompanyData,
} from '@heliograph/contract';
import { DEFAULT_TEMPLATES, type DocumentType } from '@heliograph/domain';
import type { Scene } from '../scene.ts';
import { type Person, World } from '../world.ts';
import { COMPANY_DATA, REQUISITE } from './parties.ts';
import { byId, listing, managed, type SamplesOf } from './sample.ts';

export { COMPANY_DATA };

interface CompanyOptions {
  OwnerId?: string | null;
  taxSystem?: string;
  data?: CompanyData;
  prefix?: string;
}

/** A company with the default templates, of every account unless it has an owner. */
export async function createCompany(
  { db }: World,
  { OwnerId = null, taxSystem = 'general', data = COMPANY_DATA, prefix = '' }: CompanyOptions = {},
): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `insert into companies (owner_id, title, tax_system, data, prefix) values ($1, 'Heliograph', $2, $3, $4) returning id`,
    [OwnerId, taxSystem, JSON.stringify(data), prefix],
  );
  for (const type of Object.keys(DEFAULT_TEMPLATES) as DocumentType[])
    await createTemplate({ db } as World, row!.id, type, OwnerId);
  return row!.id;
}

export async function createTemplate(
  { db }: World,
  CompanyId: string,
  type: DocumentType,
  OwnerId: string | null = null,
): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `insert into document_templates (owner_id, company_id, type, title, blocks) values ($1, $2, $3, $3, $4) returning id`,
    [OwnerId, CompanyId, type, JSON.stringify(DEFAULT_TEMPLATES[type])],
  );
  return row!.id;
}

/** A requisite and a company that an account can issue an invoice with. */
export async function sidesOf(world: World, owner: Person, OwnerId: string | null = owner.id) {
  const { id } = await owner.api(requisites.create, { body: REQUISITE });
  return { requisiteId: id, companyId: await createCompany(world, { OwnerId }) };
}

const company = ({ world, owner }: Scene) => createCompany(world, { OwnerId: owner.id });
const template = async (scene: Scene) => {
  const { world, owner } = scene;
  const companyId = await company(scene);
  const [row] = await world.db.query<{ id: string }>(
    `select id from document_templates where company_id = $1 and owner_id = $2 and type = 'invoice'`,
    [companyId, owner.id],
  );
  return row!.id;
};
const invoice = async ({ world, owner }: Scene) => {
  const sides = await sidesOf(world, owner);
  return (await owner.api(invoices.create, { body: { ...sides, amount: 1000 } })).id;
};
const blocks = [{ kind: 'text' as const, text: '{number}' }];
const companyBody = { title: 'Heliograph', taxSystem: 'general' as const, data: COMPANY_DATA };

/** A call with ids of a requisite and a company in its body or query: those of another account are not found. */
const withSides = async <C>(
  { world, owner }: Scene,
  call: (sides: Awaited<ReturnType<typeof sidesOf>>) => C,
) => {
  const sides = await sidesOf(world, owner);
  const row: [string, string] = ['requisites', sides.requisiteId];
  return { call: call(sides), row, others: 'nothing' as const };
};

const contract = async ({ world, owner }: Scene) => {
  const sides = await sidesOf(world, owner);
  const body = { ...sides, type: 'contract' as const };
  const { id } = await owner.api(documentTemplates.generate, { body });
  const { data } = await owner.api(contracts.find, { query: {} });
  return data.find(({ FileId }) => FileId === id)!.id;
};

export const DOCUMENTS: SamplesOf<'companies' | 'contracts' | 'documentTemplates' | 'invoices'> = {
  contracts: {
    find: (s) => listing('contracts', contract(s)),
    get: (s) => byId('contracts', contract(s)),
    update: (s) => byId('contracts', contract(s), { body: { tags: ['2026'] } }),
    remove: (s) => byId('contracts', contract(s)),
  },
  companies: {
    find: (s) => listing('companies', company(s)),
    get: (s) => byId('companies', company(s)),
    create: async (s) =>
      managed(s, {
        call: { body: { ...companyBody, OwnerId: s.owner.id } },
        row: ['users', s.owner.id] as [string, string],
        others: 'nothing' as const,
      }),
    update: (s) => managed(s, byId('companies', company(s), { body: { title: 'Light' } })),
    remove: (s) => managed(s, byId('companies', company(s))),
  },
  documentTemplates: {
    generateGet: (s) =>
      withSides(s, (sides) => ({ query: { ...sides, type: 'contract' as const } })),
    generate: (s) => withSides(s, (sides) => ({ body: { ...sides, type: 'contract' as const } })),
    preview: async (s) => {
      const CompanyId = await company(s);
      const body = { type: 'invoice' as const, CompanyId, blocks };
      return managed(s, {
        call: { body },
        row: ['companies', CompanyId] as [string, string],
        others: 'nothing' as const,
      });
    },
    // Only managers may read templates, so the answers of other levels are refusals.
    find: async (s) => ({
      ...(await managed(s, listing('document_templates', template(s)))),
      others: 'anything' as const,
    }),
    get: (s) => managed(s, byId('document_templates', template(s))),
    create: async (s) => {
      const CompanyId = await company(s);
      const body = {
        title: 'Invoice',
        type: 'invoice' as const,
        CompanyId,
        blocks,
        isActive: false,
      };
      return managed(s, {
        call: { body },
        row: ['companies', CompanyId] as [string, string],
        others: 'nothing' as const,
      });
    },
    update: (s) =>
      managed(s, byId('document_templates', template(s), { body: { title: 'Light' } })),
    remove: async (s) => {
      const id = await template(s);
      // One that is in use is not removed.
      await s.world.db.query(`update document_templates set is_active = false where id = $1`, [id]);
      return managed(s, byId('document_templates', Promise.resolve(id)));
    },
  },
  invoices: {
    find: (s) => listing('invoices', invoice(s)),
    get: (s) => byId('invoices', invoice(s)),
    create: (s) => withSides(s, (sides) => ({ body: { ...sides, amount: 1000 } })),
    document: (s) => byId('invoices', invoice(s)),
    pay: (s) => managed(s, byId('invoices', invoice(s))),
    reject: (s) => managed(s, byId('invoices', invoice(s), { body: {} })),
    send: (s) => byId('invoices', invoice(s), { body: { to: 'tea@heliograph.example' } }),
  },
};
