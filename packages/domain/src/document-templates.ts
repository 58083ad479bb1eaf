import { isBlank } from './invisible.ts';

export const DOCUMENT_TYPES = ['contract', 'invoice', 'act'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Blocks with a text of the template. */
export const TEXT_BLOCKS = ['heading', 'text', 'small'] as const;
/** Blocks that the program fills. */
export const FILLED_BLOCKS = [
  'bank',
  'parties',
  'items',
  'totals',
  'words',
  'qr',
  'signatures',
  'requisites',
  'line',
  'space',
  'pageBreak',
] as const;
export const BLOCK_KINDS = [...TEXT_BLOCKS, ...FILLED_BLOCKS] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** The kinds that a document type can have: a contract has neither a sum nor a payment code. */
export const KINDS_OF_TYPE: Record<DocumentType, readonly BlockKind[]> = {
  invoice: BLOCK_KINDS,
  act: BLOCK_KINDS.filter((kind) => kind !== 'qr'),
  contract: [...TEXT_BLOCKS, 'parties', 'signatures', 'requisites', 'line', 'space', 'pageBreak'],
};

/**
 * One line of a template. A template is a flat list of them: there are no loops, no nesting and no expressions, so making a document takes
 * time in proportion to the length of the template.
 */
export interface TemplateBlock {
  kind: BlockKind;
  /** `{variable}` is replaced with its value; `{{` and `}}` are braces. */
  text?: string | undefined;
  align?: 'left' | 'center' | 'right' | 'justify' | undefined;
  /** The block is only in documents in which this variable has a value. */
  when?: string | undefined;
  /** The block is only in documents in which this variable has no value. */
  unless?: string | undefined;
}

const PARTY = [
  'name',
  'inn',
  'kpp',
  'ogrn',
  'address',
  'phone',
  'email',
  'bankName',
  'bik',
  'account',
  'correspondentAccount',
  'signerName',
  'signerNameGenitive',
  'signerPosition',
  'signerPositionGenitive',
  'signerBasis',
  'signerBasisGenitive',
] as const;
const EVERYWHERE = [
  'number',
  'date',
  'dateInWords',
  'username',
  ...PARTY.map((name) => `seller.${name}` as const),
  'seller.accountant',
  ...PARTY.map((name) => `buyer.${name}` as const),
] as const;
const WITH_AMOUNT = ['service', 'amount', 'amountInWords', 'vatRate', 'vatAmount'] as const;

export type TemplateVariable =
  | (typeof EVERYWHERE)[number]
  | (typeof WITH_AMOUNT)[number]
  | 'validUntil'
  | 'validDays'
  | 'period';
export type TemplateValues = Partial<Record<TemplateVariable, string>>;

/** The variables of each document type. */
export const TEMPLATE_VARIABLES: Record<DocumentType, readonly TemplateVariable[]> = {
  contract: EVERYWHERE,
  invoice: [...EVERYWHERE, ...WITH_AMOUNT, 'validUntil', 'validDays'],
  act: [...EVERYWHERE, ...WITH_AMOUNT, 'period'],
};

export const MAX_TEMPLATE_BLOCKS = 100;
export const MAX_BLOCK_TEXT_LENGTH = 4000;
/** Variables in all texts of a template: they bound the length of the document. */
export const MAX_TEMPLATE_VARIABLES = 300;

export interface TemplateError {
  /** Position of the block, from 0. */
  block: number;
  field: 'kind' | 'text' | 'when' | 'unless';
  rule: 'unknown_variable' | 'too_many_variables' | 'brace' | 'kind' | 'required';
  /** The unknown variable. */
  variable?: string;
  /** Where it is in the text, from 0; of a brace that is neither doubled nor part of a variable, too. */
  position?: number;
}

/** A name in braces, or a doubled brace. No part matches another brace, so matching takes linear time. */
const BRACES = /\{\{|\}\}|\{([^{}]{0,60})\}/g;

function* namesIn(text: string): Generator<{ variable: string; position: number }> {
  for (const { 1: name, index } of text.matchAll(BRACES))
    if (name !== undefined) yield { variable: name.trim(), position: index };
}

/** The position of a brace without its counterpart, which a document would show; -1 without one. */
const loneBrace = (text: string): number =>
  text.replace(BRACES, (found) => ' '.repeat(found.length)).search(/[{}]/);

const hasText = (kind: BlockKind): boolean => (TEXT_BLOCKS as readonly string[]).includes(kind);

/** The rules that a template violates; [] if it is valid. */
export function templateErrors(
  type: DocumentType,
  blocks: readonly TemplateBlock[],
): TemplateError[] {
  const known = new Set<string>(TEMPLATE_VARIABLES[type]);
  const errors: TemplateError[] = [];
  let variables = 0;
  blocks.forEach(({ kind, text = '', when, unless }, block) => {
    if (!KINDS_OF_TYPE[type].includes(kind)) errors.push({ block, field: 'kind', rule: 'kind' });
    if (hasText(kind) && isBlank(text)) errors.push({ block, field: 'text', rule: 'required' });
    for (const [field, name] of [
      ['when', when],
      ['unless', unless],
    ] as const) {
      if (name && !known.has(name))
        errors.push({ block, field, rule: 'unknown_variable', variable: name });
    }
    for (const { variable, position } of namesIn(text)) {
      variables++;
      if (!known.has(variable))
        errors.push({ block, field: 'text', rule: 'unknown_variable', variable, position });
    }
    const position = loneBrace(text);
    if (position !== -1) errors.push({ block, field: 'text', rule: 'brace', position });
  });
  if (variables > MAX_TEMPLATE_VARIABLES)
    errors.push({ block: 0, field: 'text', rule: 'too_many_variables' });
  return errors;
}

/**
 * The blocks of a document: those whose condition holds, with their variables replaced. Values are inserted as text, so braces in a
 * value are not variables.
 */
export function renderTemplate(
  blocks: readonly TemplateBlock[],
  values: TemplateValues,
): TemplateBlock[] {
  const given: Partial<Record<string, string>> = values;
  return blocks
    .filter(({ when, unless }) => (!when || given[when]) && (!unless || !given[unless]))
    .map((block) => ({
      ...block,
      text: block.text?.replace(BRACES, (whole, name: string | undefined) =>
        name === undefined ? whole[0]! : (given[name.trim()] ?? ''),
      ),
    }));
}
