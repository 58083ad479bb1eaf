import {
  Catch,
  HttpException,
  NotFoundException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { ERRORS, type ErrorBody, type ErrorCode } from '@heliograph/contract';
import { RULES } from '@heliograph/contract/descriptions';
import type { Response } from 'express';
import { MulterError } from 'multer';
import { Refusals } from '../audit/refusals.ts';
import { Config } from '../config.ts';
import { isTimeout, isUnavailable } from '../db/db.ts';
import { AppError } from '../errors.ts';
import { Log } from '../log.ts';
import { sentence } from './sentences.ts';
import type { AppRequest } from './endpoint.ts';
import { otpTypeOf, pageOfError } from './page-of-error.ts';
import { allowedMethods } from './methods.ts';
import { statusesOf } from './openapi/responses.ts';
import { visitorOf } from './visitor.ts';

/** Turns every error into a response of one shape. Unexpected errors are logged and answered without details. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: Log,
    private readonly refusals: Refusals,
    private readonly config: Config,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.respond(thrown, http.getRequest<AppRequest>(), http.getResponse<Response>());
  }

  /** The error to answer with, logged and recorded. */
  noted(thrown: unknown, request: AppRequest, response: Response): AppError {
    const error = this.documented(asAppError(thrown, request), request);
    if (error.code === 'internal') this.log.error({ err: thrown }, 'unexpected error');
    // After a disconnect the request was cancelled, which is not a failure.
    else if (error.status >= 500 && !response.closed)
      this.log.warn({ err: thrown }, 'service unavailable');
    this.note(error, request);
    return error;
  }

  respond(thrown: unknown, request: AppRequest, response: Response): void {
    const error = this.noted(thrown, request, response);
    if (response.headersSent) {
      response.end();
      return;
    }
    for (const name of CONTENT_HEADERS) response.removeHeader(name);
    response
      .status(error.status)
      .set({ 'cache-control': 'no-store', ...error.detail.headers })
      .json({
        ...errorBody(error, request.requestId, this.config),
        ...(OTP_PATH.test(fullPath(request)) && otpFields(error)),
      });
  }

  /** Outside of production, an error is an unexpected one whose status the OpenAPI document does not have for the call, or whose rule has no page. */
  private documented(error: AppError, { endpoint: def, requestId }: AppRequest): AppError {
    if (!def || !this.config.checksResponses) return error;
    const rule = error.detail.issues?.find((issue) => !Object.hasOwn(RULES, issue.rule))?.rule;
    const isKnown = statusesOf(def).includes(error.status) || def.responses?.[error.status];
    if (isKnown && rule === undefined) return error;
    const fault = `${def.method} ${def.path} has no ${isKnown ? rule : error.status} in its document`;
    this.log.error({ requestId, code: error.code }, fault);
    return new AppError('internal', fault);
  }

  /** Records denied access in the audit log. */
  private note({ code, detail }: AppError, request: AppRequest): void {
    const { actor, requestId } = request;
    if (!actor || !['forbidden', 'session_required', 'not_found'].includes(code)) return;
    const call = { call: `${request.method} ${pathOf(request)}` };
    const account = detail.foreignAccount && { account: detail.foreignAccount };
    if (code !== 'not_found' || account)
      this.refusals.denied(actor, { ...call, ...account }, visitorOf(request), requestId);
    else this.refusals.missed(actor, visitorOf(request), requestId);
  }
}

export function errorBody(
  error: AppError,
  requestId: string,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): ErrorBody {
  const { payload, type } = error.detail;
  const issues = error.detail.issues?.map((i) => ({ ...i, message: sentence(i.message) }));
  const name =
    error.code === 'validation'
      ? 'ValidationError'
      : error.code === 'forbidden'
        ? 'PermissionError'
        : 'AppError';
  return {
    error: error.status,
    code: error.code,
    name,
    message: sentence(error.message),
    ...(issues && {
      data: issues.map((i) => ({ field: i.field, message: i.message, type: i.rule })),
      errors: issues.map((i) => ({ property: i.field, constraints: { [i.rule]: i.message } })),
    }),
    ...(payload && { payload }),
    requestId,
    docs: pageOfError(publicUrl, type ? otpTypeOf(type) : error.code),
  };
}

const pathOf = ({ route }: AppRequest): string =>
  (route as { path?: string } | undefined)?.path ?? '';

/** Also in the router of unmatched paths, which is mounted. */
const fullPath = ({ baseUrl, path }: AppRequest): string => `${baseUrl}${path}`;

const OTP_PATH = /^\/api\/n\/otp-handler(\/|$)/i;
const OTP_TYPES: Partial<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  413: 'PayloadTooLarge',
  422: 'Validation',
  429: 'RateLimit',
  503: 'ServiceUnavailable',
};

/** Clients of one-time codes tell errors apart by `type`. */
const otpFields = ({ status, detail }: AppError) => ({
  type: otpTypeOf(detail.type ?? OTP_TYPES[status] ?? (status < 500 ? 'BadRequest' : 'Internal')),
  httpStatus: status,
});

/** Of the file that an error takes the place of: nobody may keep the error as the file. */
const CONTENT_HEADERS = [
  'content-type',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
];

const BY_STATUS: Record<number, ErrorCode> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  415: 'unsupported_media',
  416: 'range_not_satisfiable',
};

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const RETRY = { 'retry-after': '2' };

export function asAppError(thrown: unknown, request?: AppRequest): AppError {
  if (thrown instanceof AppError) return thrown;
  // Nest throws it where no route has the path and the method.
  if (request && thrown instanceof NotFoundException) {
    const allow = allowedMethods(fullPath(request)).join(', ');
    if (allow) return new AppError('method_not_allowed', undefined, { headers: { allow } });
  }
  if (thrown instanceof MulterError) {
    return new AppError(
      thrown.code === 'LIMIT_FILE_SIZE' ? 'too_large' : 'bad_request',
      thrown.message,
    );
  }
  // Express and its middleware throw errors with a status.
  const { status, code } = thrown as { status?: number; code?: string };
  // Two concurrent requests created the same row, or one removed a row that the other refers to.
  if (code === UNIQUE_VIOLATION || code === FOREIGN_KEY_VIOLATION) return new AppError('conflict');
  if (isTimeout(thrown) || isUnavailable(thrown))
    return new AppError('unavailable', undefined, { headers: RETRY });
  const given = thrown instanceof HttpException ? thrown.getStatus() : (status ?? 500);
  const known = BY_STATUS[given] ?? (given >= 400 && given < 500 ? 'bad_request' : 'internal');
  if (known === 'internal') return new AppError('internal');
  const { message } = thrown as Error;
  // Nest wraps them, without their headers: of a refused range, the size of the file.
  const { headers } = ((thrown as Error).cause ?? thrown) as { headers?: Record<string, string> };
  return new AppError(known, ERRORS[known] === 404 ? undefined : message, { headers });
}
