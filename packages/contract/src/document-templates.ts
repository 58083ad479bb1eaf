import * as z from 'zod';
import {
  BLOCK_KINDS,
  DOCUMENT_TYPES,
  MAX_BLOCK_TEXT_LENGTH,
  MAX_TEMPLATE_BLOCKS,
  templateErrors,
  unprintable,
  unprintableMessage,
  type TemplateError,
} from '@heliograph/domain';
import { DocumentType } from './companies.ts';
import { ById, endpoint, Removed } from './endpoint.ts';
import { arrayOf, Id, many, text, Time, trimmed, lines } from './fields.ts';
import { DocumentAmount } from './invoices.ts';
import { crud, listQuery, page } from './list.ts';

/** A hundred blocks of the longest text would not be a document that anyone reads. */
const BODY_LIMIT_BYTES = 256 * 1024;

export const TemplateBlock = z.strictObject({
  kind: z.enum(BLOCK_KINDS),
  text: lines(MAX_BLOCK_TEXT_LENGTH).optional(),
  align: z.enum(['left', 'center', 'right', 'justify']).optional(),
  when: text(40).optional(),
  unless: text(40).optional(),
});

const blocks = arrayOf(TemplateBlock, { min: 1, max: MAX_TEMPLATE_BLOCKS });
const MESSAGES: Record<TemplateError['rule'], string> = {
  unknown_variable: 'Documents of this type have no such variable.',
  too_many_variables: 'The template has too many variables.',
  brace: 'A brace that is neither doubled nor part of a variable.',
  kind: 'Documents of this type have no such block.',
  required: 'The block needs a text.',
};
/** Whether the blocks suit the type. */
function checkBlocks(
  given: { type: DocumentType; blocks: z.output<typeof blocks> },
  ctx: z.core.$RefinementCtx<unknown>,
): void {
  for (const { block, field, rule, variable, position } of templateErrors(
    given.type,
    given.blocks,
  )) {
    const name = variable ? ` {${variable.slice(0, 40)}}` : '';
    const place = position === undefined ? '' : ` Character ${position + 1}.`;
    const message = MESSAGES[rule] + name + place;
    ctx.addIssue({ code: 'custom', path: ['blocks', block, field], message, params: { rule } });
  }
  for (const [block, { text = '' }] of given.blocks.entries())
    if (unprintable(text).length)
      ctx.addIssue({
        code: 'custom',
        path: ['blocks', block, 'text'],
        message: unprintableMessage(text),
        params: { rule: 'unprintable' },
      });
}

export const DocumentTemplate = z.object({
  id: Id,
  title: z.string(),
  type: DocumentType,
  blocks: z.array(TemplateBlock),
  isActive: z.boolean(),
  CompanyId: Id,
  company: z.object({ id: Id, title: z.string() }),
  OwnerId: Id.nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type DocumentTemplate = z.infer<typeof DocumentTemplate>;

const fields = z.strictObject({
  title: trimmed(150).min(1),
  type: DocumentType,
  CompanyId: Id,
  blocks,
  isActive: z.boolean().optional(),
});
export const DocumentTemplateInput = fields.superRefine(checkBlocks);
/** Type and company of a template do not change. The type tells which variables the blocks may have. */
export const DocumentTemplateUpdate = z
  .strictObject({
    title: trimmed(150).min(1).optional(),
    type: DocumentType.optional(),
    blocks: blocks.optional(),
    isActive: z.boolean().optional(),
  })
  .superRefine(({ type, blocks: given }, ctx) => {
    if (!given) return;
    if (type) checkBlocks({ type, blocks: given }, ctx);
    else
      ctx.addIssue({
        code: 'custom',
        path: ['type'],
        message: 'Blocks are checked for their type: send it too.',
        params: { rule: 'required' },
      });
  });

/** The document that a template makes of sample data: a file that expires after ten minutes. */
export const TemplatePreview = z
  .strictObject({ type: DocumentType, CompanyId: Id, blocks })
  .superRefine(checkBlocks);

/** The sum may be given in the data, as older clients send it. */
const generation = {
  type: DocumentType.exclude(['act']),
  requisiteId: Id,
  companyId: Id,
  customerId: Id.optional(),
};
export const GenerateInput = z.strictObject({
  ...generation,
  data: z.strictObject({ SERVICE_PRICE: DocumentAmount.optional() }).optional(),
});
const GenerateQuery = z.strictObject({
  ...generation,
  data: z
    .strictObject({
      SERVICE_PRICE: text(20)
        .regex(/^\d{1,12}(?:\.\d{1,4})?$/)
        .transform(Number)
        .pipe(DocumentAmount)
        .optional(),
    })
    .optional(),
});
const Generated = z.object({ id: Id, OwnerId: Id });

const base = crud('documentTemplates', {
  item: DocumentTemplate,
  input: fields,
  update: DocumentTemplateUpdate,
  query: listQuery({
    order: ['createdAt', 'title', 'updatedAt'],
    filter: { type: many(DocumentType, DOCUMENT_TYPES.length), CompanyId: many(Id) },
    search: true,
  }),
  audit: true,
  sessionOnly: true,
  bodyLimit: BODY_LIMIT_BYTES,
});

export const documentTemplates = {
  /** Creates the document: a GET that changes data, kept for older clients. */
  generateGet: endpoint('GET', '/documentTemplates/generate', {
    summary: 'Create a contract or an invoice (for older clients)',
    query: GenerateQuery,
    response: Generated,
    refusedInRestrictedMode: true,
    can: 'documents.create',
    mutates: true,
    cost: 'file',
  }),
  generate: endpoint('POST', '/documentTemplates/generate', {
    summary: 'Create a contract or an invoice',
    body: GenerateInput,
    response: Generated,
    status: 201,
    idempotent: 'calls',
    refusedInRestrictedMode: true,
    can: 'documents.create',
    cost: 'file',
  }),
  preview: endpoint('POST', '/documentTemplates/preview', {
    summary: 'Make a document of sample data from a template',
    body: TemplatePreview,
    bodyLimit: BODY_LIMIT_BYTES,
    response: z.object({ documentId: Id }),
    can: 'documentTemplates.update',
    sessionOnly: true,
    cost: 'file',
  }),
  find: endpoint('GET', '/documentTemplates', {
    query: base.find.query!,
    response: page(DocumentTemplate),
    can: 'documentTemplates.get',
    sessionOnly: true,
  }),
  get: base.get,
  create: endpoint('POST', '/documentTemplates', {
    body: DocumentTemplateInput,
    bodyLimit: BODY_LIMIT_BYTES,
    response: DocumentTemplate,
    status: 201,
    can: 'documentTemplates.create',
    idempotent: true,
    sessionOnly: true,
    audit: 'documentTemplates.create',
  }),
  update: base.update,
  remove: endpoint('DELETE', '/documentTemplates/:id', {
    params: ById,
    response: Removed,
    can: 'documentTemplates.remove',
    sessionOnly: true,
    audit: 'documentTemplates.remove',
  }),
};
