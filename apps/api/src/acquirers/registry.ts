import type { Acquirer, AcquirerSettings } from './acquirer.ts';
import { openSandbox } from './sandbox/sandbox.acquirer.ts';
import { openTinkoff } from './tinkoff/tinkoff.acquirer.ts';

type Open = (settings: AcquirerSettings) => Acquirer | Promise<Acquirer>;

/** All acquirers, by the name of their method. A new one is added here. */
export const ACQUIRERS = {
  sandbox: ({ sandbox }) => openSandbox(sandbox),
  // The library is large: it is loaded where Stripe is configured.
  stripe: async ({ stripe }) => (await import('./stripe/stripe.acquirer.ts')).openStripe(stripe),
  tinkoff: ({ tinkoff }) => openTinkoff(tinkoff),
} satisfies Record<string, Open>;
