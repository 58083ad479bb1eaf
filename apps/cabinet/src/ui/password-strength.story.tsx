import { useState } from 'react';
import { PasswordStrength } from './password-strength.tsx';
import { SecretInput } from './secret-input.tsx';

function Story() {
  const [password, setPassword] = useState('heliograph');
  return (
    <div>
      <SecretInput
        label="New password"
        autoComplete="off"
        required={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordStrength password={password} />
    </div>
  );
}

export const story = { title: 'Password strength', Story };
