import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { Endpoint as Definition, Method, ParsedRequest } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../auth/actor.ts';

export const ENDPOINT = 'heliograph:endpoint';

export interface AppRequest extends Request {
  requestId: string;
  actor?: Actor;
  endpoint?: Definition;
  call?: { params: unknown; query: unknown; body: unknown };
}

/** Binds a contract endpoint to a handler. Route, status, validation and permission are taken from the definition. */
export function Endpoint(def: Definition): MethodDecorator {
  return (target, key, descriptor) => {
    route(def, def.method)(target, key, descriptor);
    if (def.alias) addAlias(def, def.alias, target, key);
  };
}

/** The parsed request: `{ params, query, body }`. */
export const Input = createParamDecorator(
  (_: unknown, context: ExecutionContext) => request(context).call,
);
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext) => request(context).actor,
);

export type In<E extends Definition> = ParsedRequest<E>;

function request(context: ExecutionContext): AppRequest {
  return context.switchToHttp().getRequest<AppRequest>();
}

function route(def: Definition, method: Method): MethodDecorator {
  return applyDecorators(
    SetMetadata(ENDPOINT, def),
    RequestMapping({ path: def.path, method: RequestMethod[method] }),
    HttpCode(def.status ?? 200),
  ) as MethodDecorator;
}

/** A Nest handler has one HTTP method, so PATCH beside PUT is a second handler that calls the first. */
function addAlias(def: Definition, method: Method, target: object, key: string | symbol): void {
  const alias = `${String(key)}_${method}`;
  const value = function (
    this: Record<string | symbol, (...a: unknown[]) => unknown>,
    ...args: unknown[]
  ) {
    return this[key]!(...args);
  };
  Object.defineProperty(target, alias, { value, configurable: true, writable: true });
  const args = Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key);
  if (args) Reflect.defineMetadata(ROUTE_ARGS_METADATA, args, target.constructor, alias);
  route(def, method)(target, alias, Object.getOwnPropertyDescriptor(target, alias)!);
}
