import { Module } from '@nestjs/common';
import { TelemetryController } from './telemetry.controller.ts';
import { TelemetryService } from './telemetry.service.ts';
import { TelemetryStore } from './telemetry.store.ts';

@Module({
  controllers: [TelemetryController],
  providers: [TelemetryService, TelemetryStore],
  exports: [TelemetryService],
})
export class TelemetryModule {}
