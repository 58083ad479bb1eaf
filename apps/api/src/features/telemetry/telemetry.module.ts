import { Module } from '@nestjs/common';
import { GeocodeModule } from '../geocode/geocode.module.ts';
import { ConsentsService } from './consents.service.ts';
import { ConsentsStore } from './consents.store.ts';
import { TelemetryController } from './telemetry.controller.ts';
import { TelemetryService } from './telemetry.service.ts';
import { TelemetryStore } from './telemetry.store.ts';

@Module({
  imports: [GeocodeModule],
  controllers: [TelemetryController],
  providers: [TelemetryService, TelemetryStore, ConsentsService, ConsentsStore],
  exports: [TelemetryService],
})
export class TelemetryModule {}
