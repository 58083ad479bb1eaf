import type { Response } from 'express';
import type { AppError } from '../../core/errors.ts';
import type { CompatibleApi } from '../../core/config.ts';
import type { AppRequest } from '../../core/http/endpoint.ts';
import type { Parameters } from './parameters.ts';

/** A call in the form of another service. */
export interface Call {
  request: AppRequest;
  response: Response;
  /** As it was sent, without the query. */
  path: string;
  /** Once they are read; a refusal is in the format that they ask for. */
  given?: Parameters;
}

/** A text is sent as plain text unless its headers say otherwise: an answer may repeat what was given. */
export interface Answer {
  status: number;
  body: string | object;
  headers?: Record<string, string>;
}

/** The API of another service: how its calls are read, and how they are answered. */
export interface VendorApi {
  name: CompatibleApi;
  /** The beginnings of its paths. */
  paths: string[];
  /** Throws AppErrors for what is refused. */
  answer: (call: Call) => Promise<Answer>;
  /** How the service says the same. */
  refusal: (error: AppError, call: Call) => Answer;
}
