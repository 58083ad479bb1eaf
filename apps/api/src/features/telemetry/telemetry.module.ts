import { Module } from '@nestjs/common';
import { TelemetryController } from './telemetry.controller.ts';
import { TelemetryStore } from './telemetry.store.ts';

@Module({ controllers: [TelemetryController], providers: [TelemetryStore] })
export class TelemetryModule {}
