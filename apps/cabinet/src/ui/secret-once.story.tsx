import { SecretOnce } from './secret-once.tsx';

function Story() {
  return (
    <SecretOnce
      label="API token"
      value="hg_k7m2qx9w4ctr_vGPkKz5dWIXNzt0l0lbEM8Vx6DkLrq3nJ9hYcR2sQ4A"
      shown={15}
      warning="Store it now: it is not shown again."
    />
  );
}

export const story = { title: 'Secret shown once', Story };
