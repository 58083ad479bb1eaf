import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ERRORS, type ErrorBody, type ErrorCode } from '@heliograph/contract';
import type { NextFunction, Response } from 'express';
import { MulterError } from 'multer';
import { AppError } from '../errors.ts';
import { Log } from '../log.ts';
import type { AppRequest } from './endpoint.ts';

/** Every failure leaves through here, in one shape. What we did not foresee is logged and tells nothing away. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<AppRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = asAppError(thrown);
    if (error.code === 'internal') this.log.error({ err: thrown }, 'unforeseen failure');
    else if (error.status >= 500) this.log.warn({ err: thrown }, 'a service is not available');
    if (response.headersSent) {
      response.end();
      return;
    }
    response
      .status(error.status)
      .set(error.detail.headers ?? {})
      .json(errorBody(error, request.requestId));
  }
}

/** After the body parsers: Nest would make plain 400s of what they say. */
export function parserErrors(
  error: { type?: string },
  _request: unknown,
  _response: unknown,
  next: NextFunction,
): void {
  next(error.type ? asAppError(error) : error);
}

export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { issues, payload } = error.detail;
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
    message: error.message,
    ...(issues && {
      data: issues.map((i) => ({ field: i.field, message: i.message, type: i.rule })),
      errors: issues.map((i) => ({ property: i.field, constraints: { [i.rule]: i.message } })),
    }),
    ...(payload && { payload }),
    requestId,
  };
}

const BY_STATUS: Record<number, ErrorCode> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  415: 'unsupported_media',
};

const UNIQUE_VIOLATION = '23505';

export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof MulterError) {
    return new AppError(
      thrown.code === 'LIMIT_FILE_SIZE' ? 'too_large' : 'bad_request',
      thrown.message,
    );
  }
  // The body parser throws errors with a type and a status.
  const { type, status, code } = thrown as { type?: string; status?: number; code?: string };
  if (type === 'entity.parse.failed')
    return new AppError('malformed_json', 'The body is not valid JSON');
  if (type === 'entity.too.large') return new AppError('too_large', 'The body is too large');
  // Two asked for the same at once: the database let one of them have it.
  if (code === UNIQUE_VIOLATION) return new AppError('conflict');
  const known = BY_STATUS[thrown instanceof HttpException ? thrown.getStatus() : (status ?? 0)];
  if (known)
    return new AppError(known, ERRORS[known] === 404 ? undefined : (thrown as Error).message);
  return new AppError('internal');
}
