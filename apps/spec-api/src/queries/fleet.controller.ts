import type { AlarmView, FleetView, OrphanView } from '@davit/contracts';
import { type AlarmState, FLEET_KEY, type FleetState, type OrphanState, groupOf } from '@davit/domain';
import { Controller, Get, Query } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { alarmView, fleetView, orphanView } from '../views/fleet-views.js';
import { type Query as Parameters, onlyKnown, oneOf, single } from './parameters.js';
import type { Listing } from './queries.controller.js';

const SEVERITIES = ['warning', 'critical'];

/** What concerns everything that runs: leaks, alarms, the freeze. */
@Controller('v1')
export class FleetController {
  /** Those that are dealt with are listed with `?all=true`. */
  @Get('orphans')
  async orphans(@Asked() asking: Asking, @Query() query: Parameters): Promise<Listing<OrphanView>> {
    onlyKnown(query, ['tenant', 'adapter', 'all']);
    const all = oneOf(query, 'all', ['true', 'false']) === 'true';
    const adapter = single(query, 'adapter');
    const { model, position } = await asking.view();
    const found = await model.list<OrphanState>('orphan', tenantGroup(query));
    const shown = found.filter(
      ({ document }) =>
        (all || document.status === 'quarantined' || document.status === 'reaping') &&
        (adapter === undefined || document.adapter === adapter),
    );
    return { position, items: shown.map(orphanView) };
  }

  @Get('alarms')
  async alarms(@Asked() asking: Asking, @Query() query: Parameters): Promise<Listing<AlarmView>> {
    onlyKnown(query, ['tenant', 'severity', 'alarm']);
    const severity = oneOf(query, 'severity', SEVERITIES);
    const alarm = single(query, 'alarm');
    const { model, position } = await asking.view();
    const found = await model.list<AlarmState>('alarm', tenantGroup(query));
    const shown = found.filter(
      ({ document }) =>
        (severity === undefined || document.severity === severity) && (alarm === undefined || document.alarm === alarm),
    );
    return { position, items: shown.map(alarmView) };
  }

  @Get('fleet')
  async fleet(@Asked() asking: Asking, @Query() query: Parameters): Promise<FleetView> {
    onlyKnown(query, []);
    const { model, position } = await asking.view();
    return fleetView(await model.get<FleetState>('fleet', FLEET_KEY), position);
  }
}

function tenantGroup(query: Parameters): string | undefined {
  const tenant = single(query, 'tenant');
  return tenant === undefined ? undefined : groupOf.tenant(tenant);
}
