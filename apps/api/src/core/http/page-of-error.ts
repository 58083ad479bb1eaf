/** The page of the documentation that lists all errors. Below it each has a page of its own. */
export const ERROR_PAGES = 'api/errors';

/** `pageOfError('https://example.com', 'conflict')` is 'https://example.com/documentation/api/errors/conflict'. */
export const pageOfError = (site: string, name: string): string =>
  `${site}/documentation/${ERROR_PAGES}/${name}`;

/** The name of an error of one-time codes in answers and in the documentation: `otpTypeOf('InvalidCode')` is 'InvalidCodeException'. */
export const otpTypeOf = (name: string): string => `${name}Exception`;
