import { useState } from 'react';
import { SecretInput } from './secret-input.tsx';

function Story() {
  const [value, setValue] = useState('');
  return (
    <SecretInput
      label="Secret"
      description="Can be shown, and warns of Caps Lock."
      autoComplete="off"
      required={false}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
    />
  );
}

export const story = { title: 'Secret input', Story };
