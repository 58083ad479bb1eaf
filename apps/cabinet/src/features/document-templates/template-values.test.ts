import { DEFAULT_TEMPLATES, DOCUMENT_TYPES } from '@heliograph/domain';
import { expect, it } from 'vitest';
import { blocksOf, brokenTexts, placeOf, rowsOf } from './template-values.ts';

it.each(DOCUMENT_TYPES)('keeps the default template of %s as it is', (type) => {
  const blocks = [...DEFAULT_TEMPLATES[type]];
  expect(blocksOf(rowsOf(blocks))).toEqual(blocks);
});

it('keeps alignment and condition, and drops the text of a block that the program fills', () => {
  const [row] = rowsOf([{ kind: 'text', text: 'VAT', align: 'right', when: 'vatRate' }]);
  expect(blocksOf([row!])).toEqual([
    { kind: 'text', text: 'VAT', align: 'right', when: 'vatRate' },
  ]);
  expect(blocksOf([{ ...row!, kind: 'line', condition: 'unless' }])).toEqual([
    { kind: 'line', align: 'right', unless: 'vatRate' },
  ]);
  expect(blocksOf([{ ...row!, variable: '' }])[0]).not.toHaveProperty('when');
});

it('names line and character from 1', () => {
  expect(placeOf('one\ntwo {x}', 8)).toEqual({ line: 2, character: 5 });
  expect(placeOf('', 0)).toEqual({ line: 1, character: 1 });
});

it('says what is wrong with a text and where', () => {
  const t = ((key: string, values: object) => `${key} ${JSON.stringify(values)}`) as never;
  const blocks = rowsOf([
    { kind: 'text', text: '{number}' },
    { kind: 'text', text: 'a\n{nubmer} {' },
  ]);
  const broken = brokenTexts({ title: '', type: 'invoice', CompanyId: null, blocks }, t);
  expect(Object.keys(broken)).toEqual(['blocks.1.text']);
  expect(broken['blocks.1.text']).toContain('"variable":"{nubmer}","line":2,"character":1');
  expect(broken['blocks.1.text']).toContain('documentTemplates:rule.brace');
});
