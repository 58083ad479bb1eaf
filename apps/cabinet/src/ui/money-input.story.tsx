import { useState } from 'react';
import { parseDecimal } from '../core/decimal-text.ts';
import { MoneyInput } from './money-input.tsx';

function Story() {
  const [sum, setSum] = useState('1000,50');
  return (
    <MoneyInput
      label="Sum"
      description={`Read as ${parseDecimal(sum, 2) ?? 'no number'}`}
      currency="EUR"
      value={sum}
      onChange={setSum}
    />
  );
}

export const story = { title: 'Money input', Story };
