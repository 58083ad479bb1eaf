import { Controller, Res } from '@nestjs/common';
import { health, type ResponseOf } from '@heliograph/contract';
import type { Response } from 'express';
import { Health } from '../health.ts';
import { BUILD, VERSION } from '../version.ts';
import { Endpoint } from './endpoint.ts';

const SERVING = ['ready', 'degraded'];

@Controller()
export class HealthController {
  constructor(private readonly health: Health) {}

  @Endpoint(health.get)
  async get(
    @Res({ passthrough: true }) response: Response,
  ): Promise<ResponseOf<typeof health.get>> {
    return { ...(await this.ready(response)), version: VERSION, build: BUILD };
  }

  @Endpoint(health.live)
  live(): ResponseOf<typeof health.live> {
    return { status: 'live' };
  }

  @Endpoint(health.ready)
  async ready(
    @Res({ passthrough: true }) response: Response,
  ): Promise<ResponseOf<typeof health.ready>> {
    const readiness = await this.health.readiness();
    response.set('cache-control', 'no-store');
    if (!SERVING.includes(readiness.status)) response.status(503);
    return readiness;
  }
}
