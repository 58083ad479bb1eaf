import type { DocumentTemplate } from '@heliograph/contract';
import {
  DEFAULT_TEMPLATES,
  TEXT_BLOCKS,
  templateErrors,
  type BlockKind,
  type DocumentType,
  type TemplateBlock,
  type TemplateError,
} from '@heliograph/domain';
import type { TFunction } from 'i18next';

/** A block as the form has it. */
export interface BlockValues {
  /** Stays with the block when it is moved. */
  key: number;
  kind: BlockKind;
  text: string;
  align: '' | NonNullable<TemplateBlock['align']>;
  condition: '' | 'when' | 'unless';
  /** Of the condition. */
  variable: string;
}

export interface TemplateValues {
  title: string;
  type: DocumentType;
  CompanyId: string | null;
  blocks: BlockValues[];
}

export const hasText = (kind: BlockKind): boolean =>
  (TEXT_BLOCKS as readonly string[]).includes(kind);

export const rowsOf = (blocks: readonly TemplateBlock[]): BlockValues[] =>
  blocks.map(({ kind, text = '', align, when, unless }, key) => ({
    key,
    kind,
    text,
    align: align ?? '',
    condition: when ? 'when' : unless ? 'unless' : '',
    variable: when ?? unless ?? '',
  }));

export const blocksOf = (rows: readonly BlockValues[]): TemplateBlock[] =>
  rows.map(({ kind, text, align, condition, variable }) => ({
    kind,
    ...(hasText(kind) && { text }),
    ...(align && { align }),
    ...(condition && variable && { [condition]: variable }),
  }));

export function valuesOf(row: DocumentTemplate | null): TemplateValues {
  const { title = '', type = 'invoice', CompanyId = null } = row ?? {};
  return { title, type, CompanyId, blocks: rowsOf(row?.blocks ?? DEFAULT_TEMPLATES[type]) };
}

/** Line and character, from 1. */
export function placeOf(text: string, position: number): { line: number; character: number } {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, character: before.at(-1)!.length + 1 };
}

const RULES = { unknown_variable: 'unknownVariable', brace: 'brace' } as const;

/** What is wrong with the texts of blocks, with the place: by field. */
export function brokenTexts(
  { type, blocks }: TemplateValues,
  t: TFunction,
): Record<string, string> {
  const broken: Record<string, string> = {};
  for (const error of templateErrors(type, blocksOf(blocks))) {
    const field = `blocks.${error.block}.text`;
    const text = sentence(error, blocks[error.block]!.text, t);
    if (text) broken[field] = [broken[field], text].filter(Boolean).join(' ');
  }
  return broken;
}

function sentence({ rule, variable, position }: TemplateError, text: string, t: TFunction) {
  if ((rule !== 'unknown_variable' && rule !== 'brace') || position === undefined) return null;
  const place = placeOf(text, position);
  return t(`documentTemplates:rule.${RULES[rule]}`, { variable: `{${variable}}`, ...place });
}
