import {
  compileContent,
  compileTariffs,
  parseOperators,
  type MessageParts,
  type SendingType,
} from '@heliograph/domain';
import { expect, test } from 'vitest';
import type { AttemptPlan } from '../plan.ts';
import { quote } from './quote.ts';

const operators = parseOperators('7916,250,01,RU,MTS');
const groupOf = () => 'advertising' as const;
const book = compileTariffs([
  {
    id: 't',
    priority: 0,
    rules: [{ id: 'r', action: 'increase', price: 2, priority: 0, conditions: [] }],
  },
]);

/** An attempt that counts how often its text is rendered. */
function attemptOf(type: SendingType, text: string, parts: MessageParts = {}) {
  const compiled = compileContent(type, { text, ...parts });
  let rendered = 0;
  const attempt: AttemptPlan = {
    type,
    sender: 'TEA',
    payload: { sender: 'TEA', text },
    audioSeconds: null,
    hasLink: false,
    hasClickCodes: false,
    content: {
      ...compiled,
      render: (values) => {
        rendered++;
        return compiled.render(values);
      },
    },
  };
  const priced = (values = {}) =>
    quote(attempt, '+79161234567', values, [], {
      book,
      operators,
      isFree: false,
      groupOf,
      matchOf: null,
    });
  return { priced, rendered: () => rendered };
}

test('a text without variables is rendered and counted once for all recipients', () => {
  const { priced, rendered } = attemptOf('sms', 'a'.repeat(161));
  for (let i = 0; i < 1000; i++) expect(priced()).toMatchObject({ segments: 2, amount: 40_000n });
  expect(rendered()).toBe(1);
});

test('a text with variables once for each', () => {
  const { priced, rendered } = attemptOf('sms', '{firstName|friend}');
  expect(priced({ firstName: 'Я'.repeat(71) })).toMatchObject({ segments: 2 });
  expect(priced()).toMatchObject({ text: 'friend', segments: 1 });
  expect(rendered()).toBe(2);
});

test('what its values make longer than the channel allows is not sent', () => {
  const { priced } = attemptOf('viber', '{custom01}');
  expect(priced({ custom01: 'a'.repeat(1000) })).toMatchObject({ refusal: null });
  expect(priced({ custom01: 'a'.repeat(1001) })).toMatchObject({
    refusal: 'too_long',
    amount: null,
  });
  const button = attemptOf('viber', 'Tea', {
    button: { text: 'For {firstName}', url: 'https://tea.example' },
  });
  expect(button.priced({ firstName: 'a'.repeat(26) })).toMatchObject({ refusal: null });
  expect(button.priced({ firstName: 'a'.repeat(27) })).toMatchObject({ refusal: 'too_long' });
});

test('a text without a value is not sent, whatever it would cost', () => {
  const { priced } = attemptOf('sms', 'Order {custom01}');
  expect(priced({ custom01: '17' })).toMatchObject({ refusal: null, amount: 20_000n });
  for (const custom01 of [undefined, null, '', ' '])
    expect(priced({ custom01 })).toMatchObject({ refusal: 'no_value', amount: null, text: '' });
});

test('an e-mail is one, however long', () => {
  const { priced } = attemptOf('email', 'a'.repeat(100_000));
  expect(priced()).toMatchObject({ segments: 1, multiplier: 1, amount: 20_000n });
});
