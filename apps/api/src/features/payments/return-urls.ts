import { invalid } from '../../core/errors.ts';
import type { Config } from '../../core/config.ts';
import type { Payment } from './payment.entity.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address to which the payer returns: of the installation, or of an origin that the operator allows. Any other one would make the
 * payment page of an account a redirect to wherever its owner likes. Throws a 422.
 */
export function returnUrl(
  config: Config,
  field: 'urlSuccess' | 'urlFail',
  given: string | undefined,
  { method, kind }: Pick<Payment, 'method' | 'kind'>,
): string {
  const page = field === 'urlSuccess' ? 'success' : 'fail';
  const query = kind === 'first' ? '?recurrent=1' : '';
  if (given === undefined)
    return `${config.publicUrl}/api/payments/webhook/${method}/${page}/${query}`;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || url.username || url.password || !isAllowed(config, url))
    throw invalid(field, 'origin', 'The address must belong to this installation.');
  return url.href;
}

function isAllowed(config: Config, url: URL): boolean {
  if (config.PAYMENT_RETURN_ORIGINS.includes(url.origin)) return true;
  const own = new URL(config.publicUrl);
  if (url.origin === own.origin) return true;
  // A machine knows itself by several names.
  const isLocal = LOOPBACK.has(own.hostname) && LOOPBACK.has(url.hostname);
  return isLocal && url.port === own.port && url.protocol === own.protocol;
}
