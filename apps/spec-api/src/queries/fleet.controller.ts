import {
  type AlarmView,
  type ClearedAlarm,
  type FleetView,
  type OrphanView,
  type ParamsOf,
  type QueryOf,
  operations,
} from '@davit/contracts';
import { type AlarmState, FLEET_KEY, type FleetState, type OrphanState, alarmKeyOf, groupOf } from '@davit/domain';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { alarmView, fleetView, orphanView } from '../views/fleet-views.js';
import { clearedSince } from './cleared-alarms.js';
import { found } from './existing.js';
import { type Listing, isAsked, isOneOf, partOf } from './listing.js';

/** What concerns everything that runs: leaks, alarms, the freeze. */
@Controller()
export class FleetController {
  /** Those that are dealt with are listed with `?all=true`. */
  @Serves(operations.listOrphans)
  async orphans(
    @Asked() asking: Asking,
    @ReadQuery() query: QueryOf<typeof operations.listOrphans>,
  ): Promise<Listing<OrphanView>> {
    const { tenant, adapter, state, policy, changedAfter } = query;
    const { model, position } = await asking.view();
    const stored = await model.list<OrphanState>('orphan', tenantGroup(tenant), undefined, changedAfter);
    const wanted = stored.filter(
      ({ document }) =>
        isAsked(adapter, document.adapter) && isAsked(policy, document.policy) && isOneOf(state, document.status),
    );
    const { rows, next } = partOf(wanted, query, ({ document }) => !OPEN.includes(document.status));
    return { position, items: rows.map(orphanView), next };
  }

  @Serves(operations.getOrphan)
  async orphan(
    @Asked() asking: Asking,
    @ReadParams() { key }: ParamsOf<typeof operations.getOrphan>,
  ): Promise<OrphanView> {
    const { model } = await asking.view();
    return orphanView(found(await model.get<OrphanState>('orphan', key), 'orphan', key));
  }

  @Serves(operations.listAlarms)
  async alarms(
    @Asked() asking: Asking,
    @ReadQuery() query: QueryOf<typeof operations.listAlarms>,
  ): Promise<Listing<AlarmView> & { readonly cleared: readonly ClearedAlarm[] }> {
    const { tenant, severity, alarm, about, changedAfter } = query;
    const { model, log, position } = await asking.view();
    const raised = await model.list<AlarmState>('alarm', tenantGroup(tenant), undefined, changedAfter);
    const isWanted = (one: Pick<AlarmView, 'tenant' | 'alarm' | 'about'>): boolean =>
      isAsked(tenant, one.tenant) && isAsked(alarm, one.alarm) && isAsked(about, one.about);
    const wanted = raised.filter(({ document }) => isWanted(document) && isAsked(severity, document.severity));
    const { rows, next } = partOf(wanted, query);
    const up = new Set(raised.map(({ key }) => key));
    const down = changedAfter === undefined ? [] : await clearedSince(log, changedAfter);
    const cleared = down.filter((one) => !up.has(alarmKeyOf(one)) && isWanted(one));
    return { position, items: rows.map(alarmView), next, cleared };
  }

  @Serves(operations.getFleet)
  async fleet(@Asked() asking: Asking, @ReadQuery() {}: QueryOf<typeof operations.getFleet>): Promise<FleetView> {
    const { model, position } = await asking.view();
    return fleetView(await model.get<FleetState>('fleet', FLEET_KEY), position);
  }
}

const OPEN: readonly OrphanState['status'][] = ['quarantined', 'reaping'];

const tenantGroup = (tenant: string | undefined): string | undefined =>
  tenant === undefined ? undefined : groupOf.tenant(tenant);
