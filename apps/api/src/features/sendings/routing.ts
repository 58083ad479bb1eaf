import { TEST_CHANNEL } from '@heliograph/contract';

/** By which channel a message goes, and why. */
export interface Routing {
  channel: string;
  /** Null when no route matches: then it is the channel of the account's groups, or of the type. */
  routeId: string | null;
  /** The channels of the route for this message, the preferred first. */
  routeChannels: string[] | null;
  routeVersion: number;
  /** A look-up of the number, which there is not yet, may change it. */
  isOpen?: true;
}

/** Of a message whose channel is given. */
export const NO_ROUTE = { routeId: null, routeChannels: null, routeVersion: 0 };

/** Of a message of a test token: it is never routed again. */
export const TEST_ROUTING: Routing = {
  channel: TEST_CHANNEL,
  routeId: null,
  routeChannels: null,
  routeVersion: 2 ** 31 - 1,
};

/** Messages with the same one may share a batch. */
export const routingKey = ({ channel, routeId, routeChannels, routeVersion }: Routing): string =>
  [channel, routeId, routeVersion, ...(routeChannels ?? [])].join(' ');
