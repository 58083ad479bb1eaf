import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_TEMPLATES } from './default-templates.ts';
import {
  DOCUMENT_TYPES,
  MAX_TEMPLATE_VARIABLES,
  renderTemplate,
  templateErrors,
} from './document-templates.ts';
import { cpuTime } from './testing/complexity.ts';

test.each(DOCUMENT_TYPES)('the default template of %s is valid', (type) => {
  expect(templateErrors(type, DEFAULT_TEMPLATES[type])).toEqual([]);
});

describe('a template', () => {
  const text = (value: string) => [{ kind: 'text', text: value }] as const;

  test('names its unknown variables with their block and field', () => {
    const errors = templateErrors('invoice', [
      { kind: 'line' },
      { kind: 'text', text: '{number} {process.env} {constructor}', when: '__proto__' },
    ]);
    expect(errors).toEqual([
      { block: 1, field: 'when', rule: 'unknown_variable', variable: '__proto__' },
      { block: 1, field: 'text', rule: 'unknown_variable', variable: 'process.env', position: 9 },
      { block: 1, field: 'text', rule: 'unknown_variable', variable: 'constructor', position: 23 },
    ]);
  });

  test.each([
    ['from {date to {number}', 5],
    ['{number}}', 8],
    [`{${'a'.repeat(61)}}`, 0],
  ])(
    'with a brace that is neither doubled nor part of a variable is refused: %s',
    (value, position) => {
      expect(templateErrors('invoice', text(value))).toEqual([
        { block: 0, field: 'text', rule: 'brace', position },
      ]);
    },
  );

  test('of a contract has no sum and no payment code', () => {
    expect(templateErrors('contract', [{ kind: 'qr' }])).toMatchObject([{ rule: 'kind' }]);
    expect(templateErrors('contract', text('{amount}'))).toMatchObject([{ variable: 'amount' }]);
    expect(templateErrors('act', text('{validUntil}'))).toMatchObject([{ variable: 'validUntil' }]);
  });

  test('has a bounded number of variables, and texts where the kind needs them', () => {
    const many = text('{number}'.repeat(MAX_TEMPLATE_VARIABLES + 1));
    expect(templateErrors('invoice', many)).toMatchObject([{ rule: 'too_many_variables' }]);
    expect(templateErrors('invoice', text('  '))).toMatchObject([{ rule: 'required' }]);
  });

  test('inserts values as text: a value with braces is not a variable', () => {
    const rendered = renderTemplate(text('{{{number}}} от { date }, {seller.name}'), {
      number: '{amount}',
      date: '22.11.2026',
      amount: '5',
    });
    expect(rendered).toEqual([{ kind: 'text', text: '{{amount}} от 22.11.2026, ' }]);
  });

  test('leaves out blocks whose condition does not hold', () => {
    const blocks = [
      { kind: 'text', text: 'VAT', when: 'vatRate' },
      { kind: 'text', text: 'No VAT', unless: 'vatRate' },
    ] as const;
    expect(renderTemplate(blocks, { vatRate: '22' }).map((b) => b.text)).toEqual(['VAT']);
    expect(renderTemplate(blocks, {}).map((b) => b.text)).toEqual(['No VAT']);
  });

  test('is checked and rendered whatever it contains', () => {
    const piece = fc.constantFrom('{', '}', '{{', '}}', '{number}', '{x}', 'ы', '$&', '\n', '|');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const blocks = text(pieces.join(''));
        templateErrors('invoice', blocks);
        const rendered = (number: string) => renderTemplate(blocks, { number })[0]!.text!;
        // A value is inserted as it is, whatever it contains.
        expect(rendered('\uE000').replaceAll('\uE000', () => '$&{date}')).toBe(
          rendered('$&{date}'),
        );
      }),
    );
  });

  test('takes linear time for hostile braces', () => {
    const begun = cpuTime();
    templateErrors('invoice', text('{'.repeat(200_000)));
    templateErrors('invoice', text(`{${'a'.repeat(200_000)}`));
    expect(cpuTime() - begun).toBeLessThan(2000);
  });
});
