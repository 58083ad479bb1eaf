import { Transform } from 'class-transformer';
import { IsUrl, Matches, ValidateBy } from 'class-validator';
import { definitionOf, type SettingName } from '@heliograph/contract';
import { SENDING_TYPES } from '@heliograph/domain';
import { parseAllowedHosts } from './http/outbound.ts';

// Decorators of settings: how the text of an environment variable is read, and what it may be.

const HOST_AND_PORT = /^(?:[\w.-]{1,253}|\[[\da-fA-F:.]{2,45}\]):[1-9]\d{0,4}$/;
const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]{1,255}$/;
const ANY_ORIGIN = new RegExp(String.raw`^\*$|${ORIGIN.source}`);

const itemsOf = (text: string): string[] => text.split(',').map((item) => item.trim());

export const Flag = () =>
  Transform(({ value }) => value === true || value === '1' || value === 'true');
export const Numeric = () =>
  Transform(({ value }) => (value === undefined || value === '' ? undefined : Number(value)));

export const Types = () =>
  Transform(({ value }) => {
    if (typeof value !== 'string') return value as unknown;
    if (value === 'all') return SENDING_TYPES;
    return value === 'none' ? [] : itemsOf(value);
  });

export const ListOf = () =>
  Transform(({ value }) => (typeof value === 'string' ? itemsOf(value) : (value as unknown)));

export const Ports = () =>
  Transform(({ value }) =>
    typeof value === 'string' ? value.split(',').map(Number) : (value as unknown),
  );

/** Origins as browsers write them, in small letters, in ASCII and without the usual port: `https://Чай.рф:443/` is `https://xn--80as4b.xn--p1ai`. */
export const Origins =
  ({ orAny = false } = {}) =>
  (target: object, key: string) => {
    const read = (text: string) => (siteProblem(text) === null ? new URL(text).origin : text);
    Transform(({ value }) =>
      typeof value === 'string' ? itemsOf(value).map(read) : (value as unknown),
    )(target, key);
    Matches(orAny ? ANY_ORIGIN : ORIGIN, { each: true })(target, key);
  };

export const Web = () =>
  IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false });

export const AllowedHosts = () =>
  ValidateBy({
    name: 'allowedHosts',
    validator: {
      validate: (value) => typeof value === 'string' && parseAllowedHosts(value).wrong.length === 0,
      defaultMessage: (args) =>
        `$property has entries that are not a host name, address or network: ${parseAllowedHosts(String(args?.value)).wrong.join(', ')}`,
    },
  });

/** By the table of settings that administrators change. */
export const Administered = () => (target: object, key: string) => {
  const { schema, default: otherwise } = definitionOf(key as SettingName);
  if (typeof otherwise === 'number') Numeric()(target, key);
  if (typeof otherwise === 'boolean') Flag()(target, key);
  const validator = {
    validate: (value: unknown) => schema.safeParse(value).success,
    defaultMessage: (args?: { value: unknown }) =>
      `$property: ${schema.safeParse(args?.value).error?.issues[0]?.message}`,
  };
  ValidateBy({ name: 'administered', validator })(target, key);
};

/** `redis://` or `rediss://`, a host and at most the number of a database: the client would read anything else as the path of a socket. */
export const RedisUrl = () => urlSetting('redisUrl', redisUrlProblem);
/** Comma-separated `HOST:PORT`. */
export const Sentinels = () => (target: object, key: string) => {
  ListOf()(target, key);
  const validator = {
    validate: (value: unknown) =>
      typeof value === 'string' && HOST_AND_PORT.test(value) && URL.canParse(`redis://${value}`),
    defaultMessage: () => '$property must be HOST:PORT,HOST:PORT',
  };
  ValidateBy({ name: 'sentinels', validator }, { each: true })(target, key);
};
export const PostgresUrl = () => urlSetting('postgresUrl', postgresUrlProblem);
/** A site without a path: the cabinet, the API and short links are served from the root. */
export const Site = () => urlSetting('site', siteProblem);

function urlSetting(name: string, problemOf: (value: string) => string | null) {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => typeof value === 'string' && problemOf(value) === null,
      defaultMessage: (args) => `$property ${problemOf(String(args?.value ?? ''))}`,
    },
  });
}

function redisUrlProblem(value: string): string | null {
  const url = parseUrl(value);
  // In small letters: the client would take `REDISS` for a connection without TLS.
  if (!url || !/^rediss?:\/\//.test(value))
    return 'must be redis://HOST:PORT or rediss://HOST:PORT; REDIS_SENTINELS names sentinels, Cluster and sockets are not supported';
  if (!url.hostname) return 'has no host';
  return /^\/?\d{0,5}$/.test(url.pathname)
    ? null
    : 'may have only the number of a database as its path';
}

function postgresUrlProblem(value: string): string | null {
  const url = parseUrl(value);
  const isPostgres = url && ['postgres:', 'postgresql:'].includes(url.protocol);
  return isPostgres ? null : 'must be postgres://USER:PASSWORD@HOST:PORT/DATABASE';
}

function siteProblem(value: string): string | null {
  const url = parseUrl(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'must be https://HOST';
  const { pathname, search, hash, username, password } = url;
  return pathname === '/' && !search && !hash && !username && !password
    ? null
    : 'must be a host without a path, parameters or a password: the cabinet is served from the root of its host';
}

function parseUrl(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}
