import { Stack } from '@mantine/core';
import { useState } from 'react';
import { CodeInput } from './code-input.tsx';

function Story() {
  const [code, setCode] = useState('');
  const field = {
    value: code,
    onChange: (event: { currentTarget: { value: string } }) => setCode(event.currentTarget.value),
  };
  return (
    <Stack gap="sm">
      <CodeInput {...field} label="Code of the app" />
      <CodeInput {...field} label="Code of the app, or a recovery code" takesRecovery />
    </Stack>
  );
}

export const story = { title: 'Code input', Story };
