import { type AlarmView, type FleetView, type OrphanView, type QueryOf, operations } from '@davit/contracts';
import { type AlarmState, FLEET_KEY, type FleetState, type OrphanState, groupOf } from '@davit/domain';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { alarmView, fleetView, orphanView } from '../views/fleet-views.js';
import type { Listing } from './queries.controller.js';

/** What concerns everything that runs: leaks, alarms, the freeze. */
@Controller()
export class FleetController {
  /** Those that are dealt with are listed with `?all=true`. */
  @Serves(operations.listOrphans)
  async orphans(
    @Asked() asking: Asking,
    @ReadQuery() { tenant, adapter, all }: QueryOf<typeof operations.listOrphans>,
  ): Promise<Listing<OrphanView>> {
    const { model, position } = await asking.view();
    const found = await model.list<OrphanState>('orphan', tenantGroup(tenant));
    const shown = found.filter(
      ({ document }) =>
        (all || document.status === 'quarantined' || document.status === 'reaping') &&
        (adapter === undefined || document.adapter === adapter),
    );
    return { position, items: shown.map(orphanView) };
  }

  @Serves(operations.listAlarms)
  async alarms(
    @Asked() asking: Asking,
    @ReadQuery() { tenant, severity, alarm }: QueryOf<typeof operations.listAlarms>,
  ): Promise<Listing<AlarmView>> {
    const { model, position } = await asking.view();
    const found = await model.list<AlarmState>('alarm', tenantGroup(tenant));
    const shown = found.filter(
      ({ document }) =>
        (severity === undefined || document.severity === severity) && (alarm === undefined || document.alarm === alarm),
    );
    return { position, items: shown.map(alarmView) };
  }

  @Serves(operations.getFleet)
  async fleet(@Asked() asking: Asking, @ReadQuery() _query: QueryOf<typeof operations.getFleet>): Promise<FleetView> {
    const { model, position } = await asking.view();
    return fleetView(await model.get<FleetState>('fleet', FLEET_KEY), position);
  }
}

const tenantGroup = (tenant: string | undefined): string | undefined =>
  tenant === undefined ? undefined : groupOf.tenant(tenant);
