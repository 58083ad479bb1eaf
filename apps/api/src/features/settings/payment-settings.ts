import type { Settings } from '@heliograph/contract';
import type { Config } from '../../core/config.ts';

/** Source: the specification, section 9. */
const DEFAULT_AMOUNTS = { individual: 3000, legal: 1000 };
/** The wallet provider accepts no other currency. */
const WALLET_CURRENCY = 'RUB';

export function paymentSettings(config: Config, currency: string): Settings['payments'] {
  return {
    methods: [...config.paymentMethods],
    minAmount: config.PAYMENT_MIN,
    maxAmount: Math.max(config.PAYMENT_MIN, config.PAYMENT_MAX),
    defaults: DEFAULT_AMOUNTS,
    wallet: walletOf(config, currency),
  };
}

export function advancedSettings(config: Config, currency: string): Settings['advanced'] {
  return {
    isRestricted: config.RESTRICTED_MODE,
    hasWallet: walletOf(config, currency) !== null,
  };
}

function walletOf(config: Config, currency: string): Settings['payments']['wallet'] {
  const { WALLET_RECEIVER: receiver, WALLET_URL: url, WALLET_COMMISSION: commission } = config;
  return receiver && currency === WALLET_CURRENCY ? { url, receiver, commission } : null;
}
